// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package studies

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

func TestRobots(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.urdf")
	text := `<robot name="mine"><link name="base"/><link name="arm"/><joint name="lift" type="prismatic"><parent link="base"/><child link="arm"/>
<axis xyz="0 0 1"/><limit lower="0" upper="1"/></joint><link name="tip"/><joint name="end" type="fixed"><parent link="arm"/><child link="tip"/>
<origin xyz="0.5 0 0"/></joint><laser/></robot>`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"list"}, frame.ExitOK, "0.8 m/s    8 infrared, 4 ground, 5 sonar, 3 led, 1 camera, 1 imu"},
		{[]string{"show", "epuck2"}, frame.ExitOK, "wheels left_wheel_joint and right_wheel_joint, radius 20 mm, 56.85 mm apart"},
		{[]string{"show", file}, frame.ExitOK, "line 3: not understood: <laser> in <robot>"},
		{[]string{"frames", file, "lift=0.25"}, frame.ExitOK, "0.5000  0.0000  0.2500  0.0000  0.0000  0.0000  tip"},
		{[]string{"frames", file, "lift"}, frame.ExitUsage, "want JOINT=POSITION"},
		{[]string{"frames", file, "end=1"}, frame.ExitFailed, `no joint "end" that moves`},
		{[]string{"urdf", file}, frame.ExitOK, `<joint name="lift" type="prismatic">`},
		{[]string{"urdf", "--squash", file}, frame.ExitOK, `<link name="arm">`},
		{[]string{"urdf", "--squash", "--keep", "nose", file}, frame.ExitUsage, "no such link"},
		{[]string{"show", "khepera5"}, frame.ExitFailed, "there are epuck, epuck2, khepera4"},
		{[]string{"show"}, frame.ExitUsage, "accepts"},
	} {
		status, out, problem := study(append([]string{"robots"}, c.args...)...)
		if status != c.status || !strings.Contains(out+problem, c.want) {
			t.Errorf("%v: %d, want %d and %q in\n%s%s", c.args, status, c.status, c.want, out, problem)
		}
	}
	if _, out, _ := study("robots", "urdf", "--squash", file); strings.Contains(out, "tip") {
		t.Errorf("the tip is still there:\n%s", out)
	}
	var r description.Robot
	if _, out, _ := study("robots", "show", "--json", "thymio2"); json.Unmarshal([]byte(out), &r) != nil || len(r.Devices) != 9 {
		t.Errorf("JSON %s", out)
	}
}

// The frames of the e-puck2 are those of the driver's own description.
func TestFramesOfTheDescriptions(t *testing.T) {
	ours, err := library.Load("epuck2")
	if err != nil {
		t.Fatal(err)
	}
	drivers, err := library.Load("../../../../deploy/ros/urdf/epuck.urdf")
	if err != nil {
		t.Fatal(err)
	}
	if len(drivers.Ignored) > 0 {
		t.Errorf("not understood: %v", drivers.Ignored)
	}
	a, err := ours.Transforms(nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := drivers.Transforms(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, pose := range b {
		mine, ok := a[name]
		if !ok || !mine.Near(pose, 1e-9, 1e-3) { // the files round angles at other places
			t.Errorf("%s: %+v, the driver's is at %+v", name, mine, pose)
		}
	}
}
