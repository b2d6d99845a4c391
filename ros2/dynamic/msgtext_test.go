// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

func TestMsgTextOfAPose(t *testing.T) {
	typ, err := dynamic.Resolve("geometry_msgs/msg/PoseStamped", msgs.Definition)
	if err != nil {
		t.Fatal(err)
	}
	rule := strings.Repeat("=", 80) + "\n"
	want := "std_msgs/Header header\ngeometry_msgs/Pose pose\n" +
		rule + "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n" +
		rule + "MSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\nfloat64 z\n" +
		rule + "MSG: geometry_msgs/Pose\ngeometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n" +
		rule + "MSG: geometry_msgs/Quaternion\nfloat64 x 0.0\nfloat64 y 0.0\nfloat64 z 0.0\nfloat64 w 1.0\n" +
		rule + "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n"
	if got := typ.MsgText(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestMsgTextReadsBack: the text of every known type, read again, is the same type.
func TestMsgTextReadsBack(t *testing.T) {
	for _, name := range msgs.Names() {
		if strings.Contains(name, "/srv/") {
			continue
		}
		typ, err := dynamic.Resolve(name, msgs.Definition)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		texts := map[string]string{}
		for i, part := range strings.Split(typ.MsgText(), strings.Repeat("=", 80)+"\nMSG: ") {
			head := name
			if i > 0 {
				head, part, _ = strings.Cut(part, "\n")
				head = strings.Replace(head, "/", "/msg/", 1)
			}
			texts[head] = threeParts(part)
		}
		again, err := dynamic.Resolve(name, func(n string) (string, bool) { d, ok := texts[n]; return d, ok })
		if err != nil || again.Hash() != typ.Hash() {
			t.Errorf("%s: %v\n%s", name, err, typ.MsgText())
		}
	}
}

// threeParts expands the names of nested types, as in definitions.
func threeParts(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if typ, _, _ := strings.Cut(line, " "); strings.Count(typ, "/") == 1 {
			line = strings.Replace(line, "/", "/msg/", 1)
		}
		b.WriteString(line)
	}
	return b.String()
}
