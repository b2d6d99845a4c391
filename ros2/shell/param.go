// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// absolute prefixes the name of a node with a slash.
func absolute(name string) string {
	if name == "" || strings.HasPrefix(name, "/") {
		return name
	}
	return "/" + name
}

// paramNode waits for the discovery of the node named on the command line and returns it.
func (s *session) paramNode(ctx context.Context) (string, error) {
	name := absolute(s.args.value("node_name", ""))
	g, err := s.nodeGraph(ctx, name, hasNode(name))
	if err != nil {
		return "", err
	}
	if !slices.Contains(nodeNames(g, s.args.flag("--include-hidden-nodes")), name) {
		return "", failure("Node not found" + suggest.DidYouMean(name, nodeNames(g, true)))
	}
	return name, nil
}

func paramList(ctx context.Context, s *session) error {
	var filter *regexp.Regexp
	if s.args.flag("--filter") {
		re, err := regexp.Compile("^(?:" + s.args.value("--filter", "") + ")")
		if err != nil {
			return failf("--filter: %v", err)
		}
		filter = re
	}
	one := s.args.value("node_name", "") != ""
	var nodes []string
	if one {
		node, err := s.paramNode(ctx)
		if err != nil {
			return err
		}
		nodes = []string{node}
	} else {
		g, err := s.graph(ctx, anything)
		if err != nil {
			return err
		}
		nodes = slices.Compact(nodeNames(g, s.args.flag("--include-hidden-nodes")))
	}
	for _, node := range nodes {
		if !hasService(node + "/list_parameters")(s.transport.Graph()) {
			continue
		}
		names, err := s.listParameters(ctx, node, s.args.list("--param-prefixes"))
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			fmt.Fprintf(s.env.Err, "Exception while calling service of node '%s': %v\n", node, err)
			continue
		}
		names = slices.DeleteFunc(names, func(n string) bool { return filter != nil && !filter.MatchString(n) })
		if !one && len(names) > 0 {
			s.printf("%s:\n", node)
		}
		if err := s.printParameters(ctx, node, names); err != nil {
			return err
		}
	}
	return nil
}

// printParameters writes names, with their types if --param-type is set.
func (s *session) printParameters(ctx context.Context, node string, names []string) error {
	types := map[string]string{}
	if s.args.flag("--param-type") && len(names) > 0 {
		descriptors, err := s.describeParameters(ctx, node, names)
		if err != nil {
			return err
		}
		for _, d := range descriptors {
			types[textOf(d, "name")] = ros2.ParameterType(numberOf(d, "type")).String()
		}
	}
	for _, n := range names {
		shown := printable.Line(n) // ROS 2 does not restrict the characters of parameter names
		if s.args.flag("--param-type") {
			s.printf("  %s (type: %s)\n", shown, types[n])
			continue
		}
		s.printf("  %s\n", shown)
	}
	return nil
}

func paramGet(ctx context.Context, s *session) error {
	node, err := s.paramNode(ctx)
	if err != nil {
		return err
	}
	values, err := s.getParameters(ctx, node, []string{s.args.value("parameter_name", "")})
	if err != nil {
		return err
	}
	if len(values) == 0 {
		return failure("Parameter not set" + s.suggestParameter(ctx, node, s.args.value("parameter_name", "")))
	}
	p, ok := parameterKind(values[0])
	switch {
	case !ok:
		return failf("Unknown parameter type '%d'", numberOf(values[0], "type"))
	case p.field == "":
		s.printf("Parameter not set.\n")
		return nil
	}
	field, _ := values[0].Field(p.field)
	value, _ := values[0].Get(p.field)
	if s.args.flag("--hide-type") {
		s.printf("%s\n", field.Text(value))
		return nil
	}
	s.printf("%s %s\n", p.label, field.Text(value))
	return nil
}

func paramDescribe(ctx context.Context, s *session) error {
	node, err := s.paramNode(ctx)
	if err != nil {
		return err
	}
	descriptors, err := s.describeParameters(ctx, node, s.args.positional["parameter_names"])
	if err != nil {
		return err
	}
	for _, d := range descriptors {
		s.printDescriptor(d)
	}
	for _, name := range s.args.positional["parameter_names"] {
		if text := s.suggestParameter(ctx, node, name); text != "" {
			fmt.Fprintf(s.env.Err, "There is no parameter '%s'%s\n", name, text)
		}
	}
	return nil
}

// suggestParameter returns the suggestion at the end of an error about an unknown parameter.
func (s *session) suggestParameter(ctx context.Context, node, name string) string {
	names, err := s.listParameters(ctx, node, nil)
	if err != nil || slices.Contains(names, name) {
		return ""
	}
	return suggest.DidYouMean(name, names)
}

func (s *session) printDescriptor(d *dynamic.Message) {
	s.printf("Parameter name: %s\n  Type: %v\n", textOf(d, "name"), ros2.ParameterType(numberOf(d, "type")))
	if text := textOf(d, "description"); text != "" {
		s.printf("  Description: %s\n", text)
	}
	s.printf("  Constraints:\n")
	if v, _ := d.Get("read_only"); v == true {
		s.printf("    Read only: true\n")
	}
	ranges := append(messagesOf(d, "floating_point_range"), messagesOf(d, "integer_range")...)
	if len(ranges) > 0 {
		s.printf("    Min value: %s\n    Max value: %s\n", shownOf(ranges[0], "from_value"), shownOf(ranges[0], "to_value"))
		if step := shownOf(ranges[0], "step"); step != "0" && step != "0.0" {
			s.printf("    Step: %s\n", step)
		}
	}
	if text := textOf(d, "additional_constraints"); text != "" {
		s.printf("    Additional constraints: %s\n", text)
	}
}

func paramDump(ctx context.Context, s *session) error {
	node, err := s.paramNode(ctx)
	if err != nil {
		return err
	}
	names, err := s.listParameters(ctx, node, nil)
	if err != nil {
		return err
	}
	tree := dynamic.Map{}
	for _, name := range names {
		values, err := s.getParameters(ctx, node, []string{name})
		if err != nil {
			return err
		}
		var value any = "# Parameter not set"
		if len(values) > 0 {
			value = parameterTree(values[0])
		}
		tree = insert(tree, strings.Split(name, "."), value)
	}
	s.printf("%s\n", dynamic.WriteYAML(dynamic.Map{{Key: node, Value: dynamic.Map{{Key: "ros__parameters", Value: tree}}}}, false))
	return nil
}

// insert inserts a value by its words into nested mappings, which stay sorted.
func insert(m dynamic.Map, words []string, value any) dynamic.Map {
	i, found := slices.BinarySearchFunc(m, words[0], func(e dynamic.Entry, key string) int { return strings.Compare(e.Key, key) })
	if len(words) > 1 {
		below := dynamic.Map{}
		if found {
			below, _ = m[i].Value.(dynamic.Map)
		}
		value = insert(below, words[1:], value)
	}
	if found {
		m[i].Value = value
		return m
	}
	return slices.Insert(m, i, dynamic.Entry{Key: words[0], Value: value})
}
