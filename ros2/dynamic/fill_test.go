// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Values converted as by ROS's command line, as it shows them.
func TestFill(t *testing.T) {
	for _, c := range []struct{ typ, text, want string }{
		{"std_msgs/msg/String", "data: hi", "std_msgs.msg.String(data='hi')"},
		{"std_msgs/msg/String", "{data: 5}", "std_msgs.msg.String(data='5')"},
		{"std_msgs/msg/String", "{data: yes}", "std_msgs.msg.String(data='True')"},
		{"std_msgs/msg/String", "{data: [1, 2]}", "std_msgs.msg.String(data='[1, 2]')"},
		{"std_msgs/msg/String", "{data: {a: 1}}", `std_msgs.msg.String(data="{'a': 1}")`},
		{"std_msgs/msg/String", "{data: 1.50}", "std_msgs.msg.String(data='1.5')"},
		{"std_msgs/msg/String", "{}", "std_msgs.msg.String(data='')"},
		{"std_msgs/msg/UInt8", "data: 1.5", "std_msgs.msg.UInt8(data=1)"},
		{"std_msgs/msg/UInt8", "data: ' 7 '", "std_msgs.msg.UInt8(data=7)"},
		{"std_msgs/msg/Bool", "data: 1", "std_msgs.msg.Bool(data=True)"},
		{"std_msgs/msg/Bool", "data: off", "std_msgs.msg.Bool(data=False)"},
		{"std_msgs/msg/Bool", "data: text", "std_msgs.msg.Bool(data=True)"},
		{"std_msgs/msg/Float64", "data: 1e5", "std_msgs.msg.Float64(data=100000.0)"},
		{"std_msgs/msg/Float32", "data: 0.1", "std_msgs.msg.Float32(data=0.1)"},
		{"std_msgs/msg/Int32", "data: 010", "std_msgs.msg.Int32(data=8)"},
		{"std_msgs/msg/Int32", "data: -0x1F", "std_msgs.msg.Int32(data=-31)"},
		{"std_msgs/msg/Int32", "data: 1:30", "std_msgs.msg.Int32(data=90)"},
		{"std_msgs/msg/Byte", "{data: 5}", `std_msgs.msg.Byte(data=b'\x05')`},
		{"std_msgs/msg/Byte", "{data: A}", "std_msgs.msg.Byte(data=b'A')"},
		{"std_msgs/msg/Byte", "{data: !!binary /w==}", `std_msgs.msg.Byte(data=b'\xff')`},
		{"std_msgs/msg/Empty", "{}", "std_msgs.msg.Empty()"},
		{"geometry_msgs/msg/Quaternion", "{x: 1}", "geometry_msgs.msg.Quaternion(x=1.0, y=0.0, z=0.0, w=1.0)"},
		{"std_msgs/msg/UInt8MultiArray", "{data: [1, 2], layout: {dim: [{label: x, size: 3}]}}",
			"std_msgs.msg.UInt8MultiArray(layout=std_msgs.msg.MultiArrayLayout(dim=[std_msgs.msg.MultiArrayDimension(label='x', size=3, stride=0)], data_offset=0), data=[1, 2])"},
	} {
		m := dynamic.New(resolve(t, c.typ))
		if _, err := m.Fill(c.text); err != nil {
			t.Errorf("%s %s: %v", c.typ, c.text, err)
		} else if got := m.Python(); got != c.want {
			t.Errorf("%s %s:\n%s, want\n%s", c.typ, c.text, got, c.want)
		}
	}
}

func TestFillErrors(t *testing.T) {
	for _, c := range []struct {
		typ, text, want, field string
		kind                   error
	}{
		{"geometry_msgs/msg/Twist", "{linear: {q: 1}}", "'Vector3' object has no attribute 'q'", "linear.q", dynamic.ErrField},
		{"geometry_msgs/msg/Twist", "{linear: 5}", "Value '5' is expected to be a dictionary but is a int", "linear", dynamic.ErrValue},
		{"geometry_msgs/msg/Twist", "{linear: {x: [1]}}", "Value '[1]' is expected to be a dictionary but is a list", "linear.x", dynamic.ErrValue},
		{"std_msgs/msg/UInt8", "data: 300", "The 'data' field must be an unsigned integer in [0, 255]", "data", dynamic.ErrValue},
		{"std_msgs/msg/UInt8", "data: -1", "The 'data' field must be an unsigned integer in [0, 255]", "data", dynamic.ErrValue},
		{"std_msgs/msg/UInt8", "data: abc", "invalid literal for int() with base 10: 'abc'", "data", dynamic.ErrValue},
		{"std_msgs/msg/Float64", "data: abc", "could not convert string to float: 'abc'", "data", dynamic.ErrValue},
		{"std_msgs/msg/Int32", "{data: null}", "Value 'None' is expected to be a dictionary but is a NoneType", "data", dynamic.ErrValue},
		{"std_msgs/msg/Int32", "{data: -3000000000}", "The 'data' field must be an integer in [-2147483648, 2147483647]", "data", dynamic.ErrValue},
		{"std_msgs/msg/Int32", "{data: .nan}", "cannot convert float NaN to integer", "data", dynamic.ErrValue},
		{"std_msgs/msg/Float32", "{data: 1.0e+60}", "The 'data' field must be a float in", "data", dynamic.ErrValue},
		{"std_msgs/msg/Empty", "{data: 1}", "'Empty' object has no attribute 'data'", "data", dynamic.ErrField},
		{"geometry_msgs/msg/PoseWithCovariance", "{covariance: [1, 2]}", "The 'covariance' numpy.ndarray() must have a size of 36", "covariance", dynamic.ErrValue},
		{"std_msgs/msg/Byte", "{data: AB}", "The 'data' field must be of type 'bytes' or 'ByteString' with length 1", "data", dynamic.ErrValue},
		{"sensor_msgs/msg/JointState", "{name: a}", "The 'name' field must be a set or sequence", "name", dynamic.ErrValue},
		{"std_msgs/msg/String", "linear", "not a YAML mapping", "", dynamic.ErrNotMapping},
		{"std_msgs/msg/String", "", "not a YAML mapping", "", dynamic.ErrNotMapping},
		{"std_msgs/msg/String", "{data", "yaml:", "", dynamic.ErrValue},
	} {
		_, err := dynamic.New(resolve(t, c.typ)).Fill(c.text)
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.typ, c.text, err, c.want)
		}
		var fill *dynamic.FillError
		if errors.As(err, &fill) && fill.Field != c.field {
			t.Errorf("%s %s: field %q, want %q", c.typ, c.text, fill.Field, c.field)
		}
	}
}

func TestStamps(t *testing.T) {
	for _, c := range []struct{ typ, text string }{
		{"geometry_msgs/msg/PoseStamped", "{header: auto}"},
		{"std_msgs/msg/Header", "{stamp: now}"},
		{"geometry_msgs/msg/PoseStamped", "{header: {stamp: now}}"},
	} {
		m := dynamic.New(resolve(t, c.typ))
		stamps, err := m.Fill(c.text)
		if err != nil || len(stamps) != 1 {
			t.Fatalf("%s: %d stamps, %v", c.text, len(stamps), err)
		}
		if err := dynamic.SetTime(stamps[0], 12, 34); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(m.Python(), "Time(sec=12, nanosec=34)") {
			t.Error(m.Python())
		}
	}
}

// Aliases that expand to millions of values are rejected, not expanded.
func TestFillBombs(t *testing.T) {
	text := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'j'; c++ {
		text += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+", ", 9) + "*" + string(c-1) + "]\n"
	}
	typ, err := dynamic.Resolve("t/T", definitions(map[string]string{"t/T": "string[] i\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dynamic.New(typ).Fill(text); err == nil {
		t.Error("taken")
	}
}

func TestResolveErrors(t *testing.T) {
	deep := map[string]string{}
	for i := range 100 {
		deep["t/N"+strings.Repeat("x", i)] = "t/N" + strings.Repeat("x", i+1) + " n\n"
	}
	for name, c := range map[string]struct {
		texts map[string]string
		typ   string
		kind  error
		want  string
	}{
		"unknown":      {nil, "a/B", dynamic.ErrUnknownType, "a/B"},
		"nested":       {map[string]string{"t/T": "a/B b"}, "t/T", dynamic.ErrUnknownType, "a/B"},
		"name":         {nil, "../x", dynamic.ErrDefinition, `"../x"`},
		"cycle":        {map[string]string{"t/T": "t/U u", "t/U": "t/T[] t"}, "t/T", dynamic.ErrDefinition, "contains itself"},
		"wide string":  {map[string]string{"t/T": "wstring w"}, "t/T", dynamic.ErrUnsupported, "wstring"},
		"huge":         {map[string]string{"t/T": "float64[100000000] d"}, "t/T", dynamic.ErrUnsupported, "t/T.d"},
		"huge product": {map[string]string{"t/T": "t/U[4194304] d", "t/U": "uint8[4194304] d"}, "t/T", dynamic.ErrUnsupported, "t/T.d"},
		"huge nested":  {map[string]string{"t/T": "t/U[10000] d", "t/U": "uint8[10000] d"}, "t/T", dynamic.ErrUnsupported, "t/T.d"},
		"twice":        {map[string]string{"t/T": "bool a\nbool a"}, "t/T", dynamic.ErrDefinition, `"a"`},
		"no name":      {map[string]string{"t/T": "bool"}, "t/T", dynamic.ErrDefinition, `""`},
		"bracket":      {map[string]string{"t/T": "bool[ a"}, "t/T", dynamic.ErrDefinition, "bool["},
		"no size":      {map[string]string{"t/T": "bool[0] a"}, "t/T", dynamic.ErrDefinition, "bool[0]"},
		"bound":        {map[string]string{"t/T": "bool<=4 a"}, "t/T", dynamic.ErrDefinition, "bool<=4"},
		"default":      {map[string]string{"t/T": "int8 a 300"}, "t/T", dynamic.ErrDefinition, "t/T.a"},
		"default list": {map[string]string{"t/T": "int8[2] a [1]"}, "t/T", dynamic.ErrDefinition, "t/T.a"},
		"deep":         {deep, "t/N", dynamic.ErrUnsupported, "deep"},
	} {
		_, err := dynamic.Resolve(c.typ, definitions(c.texts))
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSet(t *testing.T) {
	typ := one(t, "int8 i\nuint16 u\nfloat32 f\nstring<=3 s\nbool[2] b\nuint8[<=2] o\n")
	m := dynamic.New(typ)
	for field, values := range map[string][2]any{
		"i": {int64(-128), int64(128)}, "u": {uint64(65535), uint64(65536)}, "f": {1.5, 1e300}, "s": {"abc", "abcd"},
		"b": {[]any{true, false}, []any{true}}, "o": {[]byte{1}, []byte{1, 2, 3}},
	} {
		if err := m.Set(field, values[0]); err != nil {
			t.Error(err)
		}
		if got, ok := m.Get(field); !ok || got == nil {
			t.Errorf("%s = %v", field, got)
		}
		for _, bad := range []any{values[1], nil, struct{}{}, []any{1}} {
			if err := m.Set(field, bad); !errors.Is(err, dynamic.ErrValue) || !strings.Contains(err.Error(), "t/T."+field) {
				t.Errorf("%s = %v: %v", field, bad, err)
			}
		}
	}
	if err := m.Set("x", 1); !errors.Is(err, dynamic.ErrField) {
		t.Error(err)
	}
	if _, ok := m.Field("x"); ok {
		t.Error("a field x")
	}
}

// Data that ends too early is an error that names the field, for arrays, too.
func TestShortData(t *testing.T) {
	for _, definition := range []string{"float64[4] d", "uint8[400] d", "string d", "float64[] d", "bool[] d", "int16 d"} {
		_, err := dynamic.Decode(one(t, definition), []byte{0, 1, 0, 0, 9})
		var decode *cdr.DecodeError
		if !errors.As(err, &decode) || decode.Field != "t/T.d" {
			t.Errorf("%s: %v", definition, err)
		}
	}
}
