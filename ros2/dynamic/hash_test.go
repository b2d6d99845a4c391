// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
)

// The hash of every type is that of the generated one, which is ROS's.
func TestHash(t *testing.T) {
	for _, name := range msgs.Names() {
		newMessage, _ := msgs.Lookup(name)
		if got, want := resolve(t, name).Hash(), newMessage().TypeHash(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A type refers to others in the order of their names, each once; a message without fields has a placeholder member.
func TestReferencesAndMembers(t *testing.T) {
	var names []string
	for _, ref := range resolve(t, "geometry_msgs/msg/PoseStamped").References() {
		names = append(names, ref.Name)
	}
	if want := []string{"builtin_interfaces/msg/Time", "geometry_msgs/msg/Point", "geometry_msgs/msg/Pose", "geometry_msgs/msg/Quaternion",
		"std_msgs/msg/Header"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if m := resolve(t, "std_msgs/msg/Empty").Members(); len(m) != 1 || m[0].TypeID() != 3 {
		t.Errorf("%+v", m)
	}
	typ := one(t, "float64 w 1\nbool b true\nuint8 MODE=2\nstring KEY = \"a b\"\nint32 plain\nstring s \"x=y\"\n")
	for i, want := range []string{"1.0", "True", "", "x=y"} {
		if got := typ.Fields[i].DefaultText(); got != want {
			t.Errorf("default of %s: %q, want %q", typ.Fields[i].Name, got, want)
		}
	}
}
