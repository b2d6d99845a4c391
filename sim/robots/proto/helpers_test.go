// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"os"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

const header = "#VRML_SIM R2023b utf8\n"

// read gives the robot of a file of testdata.
func read(t *testing.T, name string) *description.Robot {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := proto.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// robot gives the robot of a world with these children of its Robot, which begin in line 3.
func robot(t testing.TB, children ...string) *description.Robot {
	t.Helper()
	text := header + "Robot { children [\n" + strings.Join(children, "\n") + "\n] }\n"
	r, err := proto.Parse("it.wbt", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// device gives a device of a name.
func device(t testing.TB, r *description.Robot, name string) *description.Device {
	t.Helper()
	for i := range r.Devices {
		if r.Devices[i].Name == name {
			return &r.Devices[i]
		}
	}
	t.Fatalf("no device %q", name)
	return nil
}

// joint gives a joint of a name.
func joint(t testing.TB, r *description.Robot, name string) *description.Joint {
	t.Helper()
	for i := range r.Joints {
		if r.Joints[i].Name == name {
			return &r.Joints[i]
		}
	}
	t.Fatalf("no joint %q", name)
	return nil
}

// where gives a device's pose in the robot, with joints at positions.
func where(t testing.TB, r *description.Robot, name string, positions map[string]float64) description.Pose {
	t.Helper()
	poses, err := r.Transforms(positions)
	if err != nil {
		t.Fatal(err)
	}
	d := device(t, r, name)
	return poses[d.Link].Then(d.Pose)
}

// remarks are those of a robot, a line each.
func remarks(r *description.Robot) string {
	var out strings.Builder
	for _, i := range r.Ignored {
		out.WriteString(strings.Join([]string{itoa(i.Line), i.Text}, " ") + "\n")
	}
	return out.String()
}

// parsed gives the robot of a text.
func parsed(t testing.TB, text string) *description.Robot {
	t.Helper()
	r, err := proto.Parse("it", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}
