// SPDX-License-Identifier: Apache-2.0

//go:build system && !arm

package simulate

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestRobotAloneMakesAllItsCyclesOnARM runs the tests of a robot alone as they are built for ARMv6, with the tags of
// scripts/cross.sh, on an emulated ARM1176: that program has one way of running, too.
func TestRobotAloneMakesAllItsCyclesOnARM(t *testing.T) {
	if !suite.Long {
		t.Skip("builds the package and all it imports for ARMv6")
	}
	if _, err := exec.LookPath("qemu-arm"); err != nil {
		t.Fatalf("%v: scripts/setup.sh installs it (package qemu-user)", err)
	}
	program := filepath.Join(t.TempDir(), "simulate.test")
	build := exec.Command("go", "test", "-c", "-tags", "system,netgo,osusergo,nethttpomithttp2", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command("qemu-arm", "-cpu", "arm1176", program, "-test.v", "-test.run", "^TestRobotAloneMakesAllItsCycles$")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
