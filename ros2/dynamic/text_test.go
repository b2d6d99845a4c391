// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Values alone, as Python prints them.
func TestText(t *testing.T) {
	typ := one(t, "float64 f\nstring s\nbool b\nbyte y\nuint8[] u\nfloat32[] g\nstring[] l\nbyte[] z\nfloat64[3] n\nint16[2] i\nuint64 w\nint8[] e\nbool[2] p\n")
	m := dynamic.New(typ)
	if _, err := m.Fill("{f: 1, s: \"it's\", b: true, y: A, u: [1, 2], g: [0.5], l: [a, \"b'\"], z: [0, 255], n: [0.5, -10, 2], i: [1, -20], w: 18446744073709551615}"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]string{
		"f": {"1.0", "float"}, "s": {"it's", "str"}, "b": {"True", "bool"}, "y": {"b'A'", "bytes"}, "u": {"array('B', [1, 2])", "array.array"},
		"g": {"array('f', [0.5])", "array.array"}, "l": {`['a', "b'"]`, "list"}, "z": {`[b'\x00', b'\xff']`, "list"},
		"n": {"[  0.5 -10.    2. ]", "numpy.ndarray"}, "i": {"[  1 -20]", "numpy.ndarray"}, "w": {"18446744073709551615", "int"},
		"e": {"array('b')", "array.array"}, "p": {"[False, False]", "list"},
	} {
		f, ok := m.Field(name)
		v, _ := m.Get(name)
		if got := f.Text(v); !ok || got != want[0] {
			t.Errorf("%s: %s, want %s", name, got, want[0])
		}
		if got := dynamic.PythonType(f, v); got != want[1] {
			t.Errorf("%s is a %s, want %s", name, got, want[1])
		}
	}
	if got := dynamic.PythonType(nil, m); got != "T" {
		t.Error(got)
	}
	if m.ROSType() != "t/T" || m.Type() != typ {
		t.Error(m.ROSType())
	}
}

func TestFlow(t *testing.T) {
	for name, want := range map[string]string{
		"geometry_msgs/msg/Point":      "{x: 0.0, y: 0.0, z: 0.0}",
		"std_msgs/msg/Empty":           "{}",
		"sensor_msgs/msg/JointState":   "{header: {stamp: {sec: 0, nanosec: 0}, frame_id: ''}, name: [], position: [], velocity: [], effort: []}",
		"diagnostic_msgs/msg/KeyValue": "{key: '', value: ''}",
	} {
		if got := dynamic.New(resolve(t, name)).Flow(); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestReadYAML(t *testing.T) {
	for text, want := range map[string]any{
		"": nil, "~": nil, "on": true, "No": false, "010": int64(8), "0x1F": int64(31), "-1_000": int64(-1000), "0b11": int64(3), "1:30": int64(90),
		"1.5e+3": 1500.0, "1e3": "1e3", ".5": 0.5, "-.inf": math.Inf(-1), "1:30.5": 90.5, "'12'": "12", "!!str 12": "12", "!!int '12'": int64(12),
		"!!float '1.5'": 1.5, "!!bool 'yes'": true, "!!null x": nil, "99999999999999999999": "99999999999999999999", "2001-01-01": "2001-01-01",
		"[1, [a], {}]": []any{int64(1), []any{"a"}, dynamic.Map{}}, "{b: 1, a: {c: x}}": dynamic.Map{{Key: "b", Value: int64(1)}, {Key: "a", Value: dynamic.Map{{Key: "c", Value: "x"}}}},
	} {
		if got, err := dynamic.ReadYAML(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %#v, %v", text, got, err)
		}
	}
	for _, text := range []string{"{", "a: b: c", "\t", "&a [*a]"} {
		if v, err := dynamic.ReadYAML(text); !errors.Is(err, dynamic.ErrValue) {
			t.Errorf("%q: %#v, %v", text, v, err)
		}
	}
	m := dynamic.Map{{Key: "a", Value: 1.5}}
	if v, ok := m.Get("a"); !ok || v != 1.5 {
		t.Error(v)
	}
	if _, ok := m.Get("b"); ok {
		t.Error("a key b")
	}
}

func TestWriteYAML(t *testing.T) {
	tree := dynamic.Map{
		{Key: "a: b", Value: nil}, {Key: "c", Value: dynamic.Map{}}, {Key: "d", Value: []any{}},
		{Key: "e", Value: []any{dynamic.Binary("hi"), int64(-1), uint64(1), true, []any{"x", []any{"y"}}, dynamic.Map{{Key: "k", Value: "v"}, {Key: "l", Value: []any{1.5}}}}},
	}
	want := "'a: b': null\nc: {}\nd: []\ne:\n- !!binary |\n  aGk=\n- -1\n- 1\n- true\n- - x\n  - - y\n- k: v\n  l:\n  - 1.5\n"
	if got := dynamic.WriteYAML(tree, false); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	want = "'a: b': null\nc: {}\nd: []\ne: [!!binary \"aGk=\", -1, 1, true, [x, [y]], {k: v, l: [1.5]}]\n"
	if got := dynamic.WriteYAML(tree, true); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for v, want := range map[any]string{"x": "x\n", 1e22: "1.0e+22\n", math.Inf(-1): "-.inf\n", int64(5): "5\n"} {
		if got := dynamic.WriteYAML(v, false); got != want {
			t.Errorf("%v: %q", v, got)
		}
	}
}
