// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// devices is short for what a robot's devices are.
type devices = machine.Devices

func TestParseFile(t *testing.T) {
	f, err := genericdriver.ParseFile([]byte("devices: {a b: {enabled: false, update_rate: 0.5, frame_name: x}}\ndrive: {wheel_distance: 0.2}"))
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Devices["a b"]; *s.Enabled || *s.Rate != 0.5 || *s.Frame != "x" || s.Topic != nil || *f.Drive.WheelDistance != 0.2 {
		t.Errorf("%+v", f)
	}
	if f, err := genericdriver.ParseFile(nil); err != nil || f.Devices != nil {
		t.Errorf("an empty file: %+v, %v", f, err)
	}
	for _, text := range []string{
		"devices: {a: {rate: 1}}", "devices: {a: {update_rate: 0}}", "devices: {a: {update_rate: .nan}}", "devices: [1]", "nonsense: 1", "\x00",
		"a: &a [*a]", "drive: {wheel_radius: wide}",
	} {
		if _, err := genericdriver.ParseFile([]byte(text)); !errors.Is(err, genericdriver.ErrSettings) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := genericdriver.ParseFile(bytes.Repeat([]byte("#"), 2<<20)); !errors.Is(err, genericdriver.ErrSettings) {
		t.Errorf("2 MB: %v", err)
	}
}

func TestPlain(t *testing.T) {
	for name, want := range map[string]string{
		"ps0": "ps0", "distance sensor(1)": "distance_sensor_1_", "a-b.c": "a_b_c", "0x": "_0x", "": "_", "ü/": "__",
	} {
		if got := genericdriver.Plain(name); got != want {
			t.Errorf("%q is %q, not %q", name, got, want)
		}
	}
}

func FuzzParseFile(f *testing.F) {
	f.Add([]byte("devices: {a: {enabled: false, update_rate: 2, topic_name: b, always_on: true, frame_name: c}}"))
	f.Add([]byte("drive: {left_joint: a, wheel_radius: 1}"))
	plain := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := genericdriver.ParseFile(text)
		if err != nil {
			if !errors.Is(err, genericdriver.ErrSettings) {
				t.Fatal(err)
			}
			return
		}
		for name := range file.Devices {
			if got := genericdriver.Plain(name); !plain.MatchString(got) {
				t.Fatalf("%q is %q", name, got)
			}
		}
	})
}

// A robot's node is called as its description calls the robot, as far as ROS 2 lets it.
func TestNodeName(t *testing.T) {
	for name, want := range map[string]string{
		"turtlebot3_burger": "turtlebot3_burger", "TIAGo++": "tiago", "Khepera IV": "khepera_iv", "": "robot", "++": "robot", "3pi": "_3pi",
		"_a__b_": "a_b", "Ünsinn": "nsinn", strings.Repeat("x", 300): strings.Repeat("x", 200),
	} {
		got := genericdriver.NodeName(&description.Robot{Name: name})
		if err := ros2.ValidateNodeName(got); got != want || err != nil {
			t.Errorf("%q is node %q, want %q; %v", name, got, want, err)
		}
	}
}

// Whatever a description says, the name is one that ROS 2 takes.
func TestNodeNamesAreNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if err := ros2.ValidateNodeName(genericdriver.NodeName(&description.Robot{Name: name})); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
	})
}
