// SPDX-License-Identifier: Apache-2.0

//go:build system && linux && linux && !arm

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestEqualRunsOfTheCommandAtLevelTargetAreTheSame: with --trace-hash, also on a network that has other participants
// in its other domains, one of which is the simulation's own.
func TestEqualRunsOfTheCommandAtLevelTargetAreTheSame(t *testing.T) {
	if !suite.Long {
		t.Skip("compiles the driver for ARMv6")
	}
	for _, tool := range []string{"qemu-arm", "gcc", "taskset"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs it (packages gcc, qemu-user, util-linux, gcc-arm-linux-gnueabi)", err)
		}
	}
	// Other tests use domains of the machine at random, and a message of theirs is an input of the drivers.
	if !again(t, syscall.CLONE_NEWNET) {
		return
	}
	ip(t, "ip link set lo up")
	driver := filepath.Join(t.TempDir(), "epuck-driver-armv6")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "netgo,osusergo,nethttpomithttp2", "-o", driver, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	line := regexp.MustCompile(`(?m)^trace [0-9a-f]{64}$`)
	run := func() string {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "sim", "--level", "target", "--set", "target.driver="+driver,
			"--real-time-factor", "max", "--for", "2s", "--trace-hash", "--web=")
		cmd.Env = append(os.Environ(), programEnv+"=1", "ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=74")
		out, err := cmd.CombinedOutput()
		hash := line.FindString(string(out))
		if err != nil || hash == "" {
			t.Fatalf("%v\n%s", err, out)
		}
		return hash
	}
	first := run()
	for range 3 {
		if again := run(); again != first {
			t.Errorf("%s, and again %s", first, again)
		}
	}
}
