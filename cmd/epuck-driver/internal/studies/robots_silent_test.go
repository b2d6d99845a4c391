// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package studies

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// TestRobotsSayWhatIsNotUnderstood: every command names it, as an error if it moves or resizes something.
func TestRobotsSayWhatIsNotUnderstood(t *testing.T) {
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	turned := write("turned.urdf", `<robot name="q" version="1.2"><link name="base_link"/><link name="laser"/>
		<joint name="j" type="fixed"><parent link="base_link"/><child link="laser"/>
		<origin xyz="0.1 0 0.05" quat_xyzw="0 0 0.70710678 0.70710678"/></joint></robot>`)
	if status, out, problem := study("robots", "frames", turned); status != frame.ExitOK || !strings.Contains(out, "0.0000  0.0000  1.5708  laser") {
		t.Errorf("%d:\n%s%s", status, out, problem)
	}
	moved := write("moved.urdf", `<robot name="q"><link name="base_link"/><link name="laser"/>
		<joint name="j" type="fixed"><parent link="base_link"/><child link="laser"/>
		<origin xyz="0.1 0 0.05" quaternion="0 0 0.7 0.7"/></joint></robot>`)
	extra := write("extra.urdf", `<robot name="q"><link name="base_link"/>
		<transmission name="t"/></robot>`)
	for _, command := range []string{"frames", "urdf", "show"} {
		if status, _, problem := study("robots", command, moved); status == frame.ExitOK || !strings.Contains(problem, "moved.urdf:3: <origin>: quaternion=") {
			t.Errorf("%s: %d, %s", command, status, problem)
		}
		status, out, problem := study("robots", command, extra)
		if status != frame.ExitOK || !strings.Contains(out+problem, "not understood: <transmission> in <robot>") || (command != "show") != strings.Contains(problem, "extra.urdf:2:") {
			t.Errorf("%s: %d\n%s%s", command, status, out, problem)
		}
	}
}
