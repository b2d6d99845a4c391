// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

const descriptionType = "type_description_interfaces/msg/TypeDescription"

// describe makes a description out of YAML.
func describe(t *testing.T, text string) *dynamic.Message {
	t.Helper()
	m := dynamic.New(resolve(t, descriptionType))
	if _, err := m.Fill(text); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFromDescription(t *testing.T) {
	typ, err := dynamic.FromDescription(describe(t, `
type_description:
  type_name: x_msgs/msg/Thing
  fields:
  - {name: when, type: {type_id: 1, nested_type_name: builtin_interfaces/msg/Time}}
  - {name: values, type: {type_id: 155}}
  - {name: three, type: {type_id: 53, capacity: 3}, default_value: "[1, 2, 3]"}
  - {name: few, type: {type_id: 117, capacity: 2, string_capacity: 4}}
  - {name: ok, type: {type_id: 15}, default_value: "true"}
  - {name: none, type: {type_id: 1, nested_type_name: std_msgs/msg/Empty}}
referenced_type_descriptions:
- type_name: builtin_interfaces/msg/Time
  fields: [{name: sec, type: {type_id: 6}}, {name: nanosec, type: {type_id: 7}}]
- type_name: std_msgs/msg/Empty
  fields: [{name: structure_needs_at_least_one_member, type: {type_id: 3}}]
`))
	if err != nil {
		t.Fatal(err)
	}
	m := dynamic.New(typ)
	if _, err := m.Fill("{when: {sec: 3}, values: [1.5], few: [a, bcde]}"); err != nil {
		t.Fatal(err)
	}
	want := "when:\n  sec: 3\n  nanosec: 0\nvalues: [1.5]\nthree: [1, 2, 3]\nfew: [a, bcde]\nok: true\nnone: {}\n"
	if got := m.YAML(dynamic.Format{Truncate: -1, Flow: true}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if _, err := m.Fill("{few: [abcde]}"); !errors.Is(err, dynamic.ErrValue) {
		t.Error("the bound of strings is lost:", err)
	}
}

func TestBadDescriptions(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		kind error
	}{
		"nothing":    {"{}", dynamic.ErrDefinition},
		"no such":    {"type_description: {type_name: a/B, fields: [{name: f, type: {type_id: 1, nested_type_name: a/C}}]}", dynamic.ErrUnknownType},
		"number":     {"type_description: {type_name: a/B, fields: [{name: f, type: {type_id: 99}}]}", dynamic.ErrDefinition},
		"wide":       {"type_description: {type_name: a/B, fields: [{name: f, type: {type_id: 18}}]}", dynamic.ErrUnsupported},
		"zero":       {"type_description: {type_name: a/B, fields: [{name: f, type: {type_id: 0}}]}", dynamic.ErrUnsupported},
		"no length":  {"type_description: {type_name: a/B, fields: [{name: f, type: {type_id: 51}}]}", dynamic.ErrDefinition},
		"too long":   {"type_description: {type_name: a/B, fields: [{name: f, type: {type_id: 51, capacity: 18446744073709551615}}]}", dynamic.ErrDefinition},
		"too large":  {"type_description: {type_name: a/B, fields: [{name: f, type: {type_id: 51, capacity: 2000000000}}]}", dynamic.ErrUnsupported},
		"in itself":  {"type_description: {type_name: a/B, fields: [{name: f, type: {type_id: 145, nested_type_name: a/B}}]}", dynamic.ErrDefinition},
		"field name": {"type_description: {type_name: a/B, fields: [{name: '1', type: {type_id: 3}}]}", dynamic.ErrDefinition},
	} {
		if _, err := dynamic.FromDescription(describe(t, c.text)); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := dynamic.FromDescription(dynamic.New(resolve(t, "std_msgs/msg/Bool"))); !errors.Is(err, dynamic.ErrDefinition) {
		t.Error(err)
	}
}
