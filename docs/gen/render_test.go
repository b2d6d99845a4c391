// SPDX-License-Identifier: Apache-2.0

package main

import (
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestParametersYAMLHoldsTheDefaults(t *testing.T) {
	text := parametersYAML("epuck_driver")
	var file map[string]map[string]map[string]any
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	values := file["epuck_driver"]["ros__parameters"]
	if len(values) != len(table.Parameters()) {
		t.Errorf("%d values for %d parameters", len(values), len(table.Parameters()))
	}
	for _, p := range table.Parameters() {
		var want any
		switch p.Default.Type() {
		case ros2.ParameterBool:
			want = p.Default.Bool()
		case ros2.ParameterInteger:
			want = int(p.Default.Integer())
		case ros2.ParameterDouble:
			want = p.Default.Double() // a number without a point would be decoded as int
		case ros2.ParameterDoubleArray:
			list := []any{}
			for _, v := range p.Default.DoubleArray() {
				list = append(list, v)
			}
			want = list
		case ros2.ParameterIntegerArray:
			list := []any{}
			for _, v := range p.Default.IntegerArray() {
				list = append(list, int(v))
			}
			want = list
		default:
			want = p.Default.Str()
		}
		if got := values[p.Name]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v (%T), want %v (%T)", p.Name, got, got, want, want)
		}
	}
}

func TestMarkdownTablesAreComplete(t *testing.T) {
	params := parametersMarkdown()
	for _, p := range table.Parameters() {
		if !strings.Contains(params, "| `"+p.Name+"`") {
			t.Errorf("%s is missing", p.Name)
		}
	}
	for _, want := range []string{"| `wheel_radius` * | double | 0.02 m | 0.001 … 0.1 |", "`nan`, `inf`, `zero`", "| empty |"} {
		if !strings.Contains(params, want) {
			t.Errorf("%q is missing in\n%s", want, params)
		}
	}
	tables := map[table.Direction]string{table.Published: topicsMarkdown(table.Published), table.Subscribed: topicsMarkdown(table.Subscribed)}
	for _, topic := range table.Topics() {
		if !strings.Contains(tables[topic.Direction], label(topic)) {
			t.Errorf("%s is missing", topic.Name)
		}
	}
	for text, d := range map[string]table.Direction{
		"| `ps0` … `ps7` | sensor_msgs/Range | `ps0` … |":                               table.Published,
		"`led0`, `led2`, `led4`, `led6`":                                                table.Subscribed,
		"geometry_msgs/Twist (geometry_msgs/TwistStamped with `cmd_vel_stamped: true`)": table.Subscribed,
		"on change, transient local":                                                    table.Published,
	} {
		if !strings.Contains(tables[d], text) {
			t.Errorf("%q is missing in\n%s", text, tables[d])
		}
	}
	for _, table := range []string{params, tables[table.Published], tables[table.Subscribed]} {
		lines := strings.Split(strings.TrimSpace(table), "\n")
		for _, l := range lines {
			if strings.Count(l, "|") != strings.Count(lines[0], "|") {
				t.Errorf("columns differ: %s", l)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"a b c", 3, "a b|c"}, {"", 3, ""}, {"längst", 2, "längst"}, {"äöü äöü", 7, "äöü äöü"}, {"one two  three", 7, "one two|three"},
	} {
		if got := strings.Join(wrap(c.text, c.columns), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}
