// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// anyList turns strings into the elements of a message's list.
func anyList(names []string) []any {
	list := make([]any, len(names))
	for i, n := range names {
		list[i] = n
	}
	return list
}

// listParameters returns the names of a node's parameters, sorted.
func (s *session) listParameters(ctx context.Context, node string, prefixes []string) ([]string, error) {
	response, err := s.ask(ctx, node+"/list_parameters", "rcl_interfaces/srv/ListParameters", func(r *dynamic.Message) error {
		return r.Set("prefixes", anyList(prefixes))
	})
	if err != nil {
		return nil, err
	}
	var names []string
	v, _ := response.Get("result")
	if result, ok := v.(*dynamic.Message); ok {
		v, _ = result.Get("names")
	}
	list, _ := v.([]any)
	for _, x := range list {
		if name, ok := x.(string); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// getParameters returns the values of parameters, none if one of them is not declared.
func (s *session) getParameters(ctx context.Context, node string, names []string) ([]*dynamic.Message, error) {
	response, err := s.ask(ctx, node+"/get_parameters", "rcl_interfaces/srv/GetParameters", func(r *dynamic.Message) error {
		return r.Set("names", anyList(names))
	})
	if err != nil {
		return nil, err
	}
	return messagesOf(response, "values"), nil
}

// describeParameters returns the descriptors of parameters.
func (s *session) describeParameters(ctx context.Context, node string, names []string) ([]*dynamic.Message, error) {
	response, err := s.ask(ctx, node+"/describe_parameters", "rcl_interfaces/srv/DescribeParameters", func(r *dynamic.Message) error {
		return r.Set("names", anyList(names))
	})
	if err != nil {
		return nil, err
	}
	return messagesOf(response, "descriptors"), nil
}

// parameter is a parameter to set.
type parameter struct {
	name   string
	value  any    // as returned by dynamic.ReadYAML
	source string // the text of the value
	unset  bool   // delete it
}

// setParameters sets parameters and returns a rcl_interfaces/msg/SetParametersResult
// for each.
func (s *session) setParameters(ctx context.Context, node string, parameters []parameter) ([]*dynamic.Message, error) {
	typ, err := dynamic.Resolve("rcl_interfaces/srv/SetParameters_Request", s.lookup)
	if err != nil {
		return nil, err
	}
	response, err := s.ask(ctx, node+"/set_parameters", typ.Name[:len(typ.Name)-len("_Request")], func(r *dynamic.Message) error {
		field, _ := r.Field("parameters")
		list := make([]any, len(parameters))
		for i, p := range parameters {
			m := dynamic.New(field.Type)
			list[i] = m
			if err := m.Set("name", p.name); err != nil {
				return err
			}
			v, _ := m.Get("value")
			value, ok := v.(*dynamic.Message)
			if !ok || p.unset {
				continue
			}
			if err := setParameterValue(value, p.value, p.source); err != nil {
				return err
			}
		}
		return r.Set("parameters", list)
	})
	if err != nil {
		return nil, err
	}
	results := messagesOf(response, "results")
	if len(results) != len(parameters) {
		return nil, failf("node %s returned results for %d of %d parameters", node, len(results), len(parameters))
	}
	return results, nil
}
