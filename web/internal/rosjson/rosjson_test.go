// SPDX-License-Identifier: Apache-2.0

package rosjson

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

func typ(t testing.TB, name string) *dynamic.Type {
	t.Helper()
	typ, err := dynamic.Resolve(name, msgs.Definition)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ typ, in, out, err string }{
		{"geometry_msgs/msg/Vector3", `{"x":1,"z":-2.5e-3}`, `{"x":1,"y":0,"z":-0.0025}`, ""},
		{"geometry_msgs/msg/Vector3", `{"x":null}`, `{"x":null,"y":0,"z":0}`, ""},
		{"geometry_msgs/msg/Vector3", `{"w":1}`, ``, `no field "w"`},
		{"geometry_msgs/msg/Vector3", `{"x":"1"}`, ``, `x wants a float64`},
		{"geometry_msgs/msg/Vector3", `[1,2,3]`, ``, `wants an object`},
		{"geometry_msgs/msg/Vector3", `{"x":1}}`, ``, `behind`},
		{"geometry_msgs/msg/Vector3", `{"x":`, ``, `EOF`},
		{"geometry_msgs/msg/Twist", `{"linear":{"x":1e400}}`, ``, `linear.x wants a float64`},
		{"std_msgs/msg/Int32", `{"data":16711680.0}`, `{"data":16711680}`, ""},
		{"std_msgs/msg/Int32", `{"data":2147483648}`, ``, `data: 2147483648 is no int32`},
		{"std_msgs/msg/UInt8", `{"data":-1}`, ``, `is no uint8`},
		{"std_msgs/msg/UInt8", `{"data":1.5}`, ``, `is no uint8`},
		{"std_msgs/msg/Bool", `{"data":1}`, ``, `data wants a bool`},
		{"std_msgs/msg/Header", `{"stamp":{"secs":5,"nsecs":6}}`, `{"stamp":{"sec":5,"nanosec":6},"frame_id":""}`, ""},
		{"sensor_msgs/msg/CompressedImage", `{"format":"jpeg","data":"AQID"}`, `"data":"AQID"`, ""},
		{"sensor_msgs/msg/CompressedImage", `{"data":[1,2,256]}`, ``, `data[2]: 256 is no uint8`},
		{"sensor_msgs/msg/CompressedImage", `{"data":"?"}`, ``, `data: illegal base64`},
		{"sensor_msgs/msg/JointState", `{"name":["a\u0000\"é"],"velocity":[1,2]}`, `"name":["a\u0000\"é"],"position":[],"velocity":[1,2]`, ""},
		{"sensor_msgs/msg/JointState", `{"velocity":3}`, ``, `velocity wants a list`},
		{"sensor_msgs/msg/Imu", `{"orientation_covariance":[1]}`, ``, `orientation_covariance`},
	} {
		m, err := Decode(typ(t, c.typ), []byte(c.in))
		if c.err != "" {
			if !errors.Is(err, ErrJSON) || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want one with %q", c.in, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got := string(Append(nil, m)); !strings.Contains(got, c.out) || !json.Valid([]byte(got)) {
			t.Errorf("%s gives %s, want %s", c.in, got, c.out)
		}
	}
}

// TestCBORIsReadBack: what is read is what was written.
func TestCBORIsReadBack(t *testing.T) {
	m, err := Decode(typ(t, "sensor_msgs/msg/JointState"), []byte(`{"name":["left","right"],"velocity":[1.5,-2]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := cbor.Unmarshal(encoded(t, CBORTree(m)), &got); err != nil {
		t.Fatal(err)
	}
	velocity, ok := got["velocity"].(cbor.Tag)
	if !ok || velocity.Number != 86 || len(velocity.Content.([]byte)) != 16 || !reflect.DeepEqual(got["name"], []any{"left", "right"}) {
		t.Errorf("%v", got)
	}
	for name, text := range map[string]string{
		"std_msgs/msg/Int64": `{"data":-9007199254740991}`, "std_msgs/msg/UInt32": `{"data":4000000000}`, "std_msgs/msg/Bool": `{"data":true}`,
		"std_msgs/msg/Float64": `{"data":-1.25}`, "std_msgs/msg/String": `{"data":"é"}`,
	} {
		m, err := Decode(typ(t, name), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := cbor.Unmarshal(encoded(t, CBORTree(m)), &tree); err != nil {
			t.Fatal(name, err)
		}
		if again, err := json.Marshal(tree); err != nil || string(again) != text {
			t.Errorf("%s: %s, want %s (%v)", name, again, text, err)
		}
	}
}

func TestFloat32IsShort(t *testing.T) {
	m := dynamic.New(typ(t, "sensor_msgs/msg/Range"))
	if err := m.Set("range", float64(float32(0.1))); err != nil {
		t.Fatal(err)
	}
	if err := m.Set("max_range", math.Inf(1)); err != nil {
		t.Fatal(err)
	}
	if s := string(Append(nil, m)); !strings.Contains(s, `"range":0.1}`) || !strings.Contains(s, `"max_range":null`) {
		t.Error(s)
	}
}

// FuzzDecode: whatever is read can be encoded, and written as JSON that reads back as the same.
func FuzzDecode(f *testing.F) {
	f.Add(0, []byte(`{"linear":{"x":1}}`))
	f.Add(1, []byte(`{"name":["a"],"position":[1,null]}`))
	f.Add(2, []byte(`{"header":{"stamp":{"secs":1}},"data":"AAEC"}`))
	names := []string{"geometry_msgs/msg/Twist", "sensor_msgs/msg/JointState", "sensor_msgs/msg/CompressedImage", "rcl_interfaces/msg/ParameterEvent"}
	f.Fuzz(func(t *testing.T, which int, data []byte) {
		typ := typ(t, names[uint(which)%uint(len(names))])
		m, err := Decode(typ, data)
		if err != nil {
			return
		}
		if _, err := cdr.Marshal(nil, m); err != nil {
			t.Fatal(err)
		}
		text := Append(nil, m)
		again, err := Decode(typ, text)
		if err != nil || string(Append(nil, again)) != string(text) {
			t.Fatal(err, string(text))
		}
		if err := cbor.Wellformed(encoded(t, CBORTree(m))); err != nil {
			t.Fatal(err)
		}
	})
}
