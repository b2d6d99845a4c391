// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// For any text a message is filled or an error returned; a filled message can be encoded, and shown and parsed again.
func FuzzFill(f *testing.F) {
	for _, text := range []string{
		"{}", "{header: auto}", "{header: {stamp: now, frame_id: a}, name: [a, b], position: [1, 2.5]}",
		"a: &x [1]\nb: *x", "{data: 0x1f}", "{position: [.nan, -.inf, 1_0, 1:30, 010, true, '5']}",
		"<<: {name: [x]}", "{name: [[a], {b: c}, null]}", "- 1", "{header: {stamp: {sec: 99999999999}}}", "{", "\x00",
	} {
		f.Add(text)
	}
	types := []*dynamic.Type{resolve(f, "sensor_msgs/msg/JointState"), resolve(f, "rcl_interfaces/msg/ParameterValue"), resolve(f, "geometry_msgs/msg/PoseWithCovariance")}
	f.Fuzz(func(t *testing.T, text string) {
		for _, typ := range types {
			m := dynamic.New(typ)
			if _, err := m.Fill(text); err != nil {
				if !errors.Is(err, dynamic.ErrValue) && !errors.Is(err, dynamic.ErrField) && !errors.Is(err, dynamic.ErrNotMapping) {
					t.Fatal(err)
				}
				continue
			}
			data, err := cdr.Marshal(nil, m)
			if err != nil {
				t.Fatal(err)
			}
			again, err := dynamic.Decode(typ, data)
			if err != nil {
				t.Fatal(err)
			}
			shown := again.YAML(dynamic.Full())
			if !strings.ContainsAny(shown, odd) && fromYAML(t, again).YAML(dynamic.Full()) != shown {
				t.Fatalf("reads otherwise:\n%s", shown)
			}
		}
	})
}

// Any bytes decode or cause an error, and a decoded message can be encoded.
func FuzzDecode(f *testing.F) {
	for _, files := range golden(f) {
		payload, err := hex.DecodeString(strings.TrimSpace(files["cdr"]))
		if err != nil || len(payload) > 1000 {
			continue
		}
		f.Add(payload)
	}
	types := []*dynamic.Type{
		resolve(f, "diagnostic_msgs/msg/DiagnosticArray"), resolve(f, "sensor_msgs/msg/CameraInfo"),
		resolve(f, "rcl_interfaces/msg/ParameterEvent"), one(f, "bool[4] a\nstring<=3[<=2] s\nfloat32[] f\nbyte[3] b\n"),
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, typ := range types {
			m, err := dynamic.Decode(typ, payload)
			if err != nil {
				continue
			}
			if _, err := cdr.Marshal(nil, m); err != nil {
				t.Error(err)
			}
			_ = m.YAML(dynamic.Format{Truncate: 5}) + m.CSV(dynamic.Full()) + m.Python()
		}
	})
}

// Any definition resolves or causes an error.
func FuzzResolve(f *testing.F) {
	for _, text := range []string{"int8 a\n", "t/U[<=3] u\n", "string<=5 s \"x\"\n", "float64[2] d [1, 2]", "t/T t", "wstring w", "int8[99999999] a", "# c\n\nbool b true"} {
		f.Add(text, "uint8 n 3\n")
	}
	f.Fuzz(func(t *testing.T, text, other string) {
		typ, err := dynamic.Resolve("t/T", definitions(map[string]string{"t/T": text, "t/U": other}))
		if err != nil {
			if !errors.Is(err, dynamic.ErrDefinition) && !errors.Is(err, dynamic.ErrUnknownType) && !errors.Is(err, dynamic.ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		m := dynamic.New(typ)
		data, err := cdr.Marshal(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dynamic.Decode(typ, data); err != nil {
			t.Fatalf("%v\n%s", err, m.YAML(dynamic.Full()))
		}
	})
}

// Any document is parsed or causes an error, and a parsed one round-trips.
func FuzzReadYAML(f *testing.F) {
	for _, text := range []string{"", "{a: 1, b: [true, 1.5, x, null]}", "- - 1\n  - '2'", "a: {b: {c: \"\\n\"}}", "&a [*a]", "? [x]\n: y", "!!binary aGk=", "1:30", "99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := dynamic.ReadYAML(text)
		if err != nil {
			if !errors.Is(err, dynamic.ErrValue) {
				t.Fatal(err)
			}
			return
		}
		written := dynamic.WriteYAML(tree, false)
		if strings.ContainsAny(written, odd) || strings.Contains(written, "{}") {
			return
		}
		again, err := dynamic.ReadYAML(written)
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if got := dynamic.WriteYAML(again, false); got != written {
			t.Fatalf("%s\nis written\n%s", written, got)
		}
	})
}
