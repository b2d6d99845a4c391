// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

func paramSet(ctx context.Context, s *session) error {
	text := s.args.value("value", "")
	value, err := dynamic.ReadYAML(text)
	if err != nil { // not YAML: the text itself
		value = text
	}
	return s.setOne(ctx, parameter{name: s.args.value("parameter_name", ""), value: value, source: text},
		"Set parameter successful", "Setting parameter failed")
}

func paramDelete(ctx context.Context, s *session) error {
	return s.setOne(ctx, parameter{name: s.args.value("parameter_name", ""), unset: true},
		"Deleted parameter successfully", "Deleting parameter failed")
}

// setOne sets one parameter and prints the result. As with the ros2 command a rejection does not change the exit
// status.
func (s *session) setOne(ctx context.Context, p parameter, done, refused string) error {
	node, err := s.paramNode(ctx)
	if err != nil {
		return err
	}
	results, err := s.setParameters(ctx, node, []parameter{p})
	if err != nil {
		return err
	}
	suggestion := ""
	if v, _ := results[0].Get("successful"); v != true {
		suggestion = s.suggestParameter(ctx, node, p.name)
	}
	s.printResult(results[0], done, refused, suggestion)
	return nil
}

// printResult writes the result of setting a parameter, with the reason if there is
// one and a suggestion.
func (s *session) printResult(result *dynamic.Message, done, refused, suggestion string) {
	out, text := s.env.Out, done
	if v, _ := result.Get("successful"); v != true {
		out, text = s.env.Err, refused
	}
	if reason := textOf(result, "reason"); reason != "" {
		text += ": " + reason
	}
	fmt.Fprintln(out, text+suggestion)
}

func paramLoad(ctx context.Context, s *session) error {
	node, err := s.paramNode(ctx)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(s.args.value("parameter_file", ""))
	if err != nil {
		return err
	}
	parameters, err := fileParameters(string(text), node, !s.args.flag("--no-use-wildcard"))
	if err != nil {
		return filekind.ExplainData(s.args.value("parameter_file", ""), text, err, filekind.Parameters)
	}
	results, err := s.setParameters(ctx, node, parameters)
	if err != nil {
		return err
	}
	for i, r := range results {
		name := parameters[i].name
		s.printResult(r, "Set parameter "+name+" successful", "Set parameter "+name+" failed", "")
	}
	return nil
}

// fileParameters returns the parameters in a file for a node, those for all nodes first.
func fileParameters(text, node string, wildcard bool) ([]parameter, error) {
	tree, err := dynamic.ReadYAML(text)
	if err != nil {
		return nil, err
	}
	file, ok := tree.(dynamic.Map)
	if !ok {
		return nil, failure("Param file is not a YAML mapping")
	}
	sections := []string{node}
	if wildcard {
		sections = []string{"/**", node}
	}
	merged := dynamic.Map{}
	found := false
	for _, key := range sections {
		section, ok := file.Get(key)
		if !ok {
			continue
		}
		found = true
		m, _ := section.(dynamic.Map)
		v, _ := m.Get("ros__parameters")
		parameters, ok := v.(dynamic.Map)
		if !ok {
			return nil, failf("Invalid structure of parameter file for node %s, "+
				"expected same format as provided by %s", key, "param dump")
		}
		for _, e := range parameters {
			merged = replace(merged, e)
		}
	}
	if !found {
		var nodes []string
		for _, e := range file {
			nodes = append(nodes, e.Key)
		}
		return nil, failf("Param file does not contain parameters for %s, only for nodes: %s", node, strings.Join(nodes, ", "))
	}
	return flatten(nil, "", merged), nil
}

// replace replaces the entry with the same key, or appends the entry.
func replace(m dynamic.Map, e dynamic.Entry) dynamic.Map {
	for i := range m {
		if m[i].Key == e.Key {
			m[i].Value = e.Value
			return m
		}
	}
	return append(m, e)
}

// flatten appends the entries of nested mappings with their names joined by dots.
func flatten(out []parameter, prefix string, m dynamic.Map) []parameter {
	for _, e := range m {
		if below, ok := e.Value.(dynamic.Map); ok {
			out = flatten(out, prefix+e.Key+".", below)
			continue
		}
		out = append(out, parameter{name: prefix + e.Key, value: e.Value, source: strings.TrimSuffix(dynamic.WriteYAML(e.Value, true), "\n")})
	}
	return out
}
