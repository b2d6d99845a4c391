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

// TestEqualRunsOfTheCommandAtLevelTargetAreTheSame: with --trace-hash, of 1, 2, 3 and 8 robots and in a mixture of all
// levels, also on a network that has other participants in its other domains, one of which is the simulation's own.
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
	mixture := filepath.Join(t.TempDir(), "mixture.yaml")
	if err := os.WriteFile(mixture, []byte(targetMixture), 0o600); err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^trace [0-9a-f]{64}$`)
	run := func(args []string) string {
		cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"sim", "--set", "target.driver=" + driver,
			"--real-time-factor", "max", "--trace-hash", "--web="}, args...)...)
		cmd.Env = append(os.Environ(), programEnv+"=1", "ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=74")
		out, err := cmd.CombinedOutput()
		hash := line.FindString(string(out))
		if err != nil || hash == "" {
			t.Fatalf("%v\n%s", err, out)
		}
		return hash
	}
	seen := map[string]bool{}
	for _, c := range []struct {
		args []string
		runs int
	}{
		{[]string{"--level", "target", "--for", "2s"}, 4},
		{[]string{"--level", "target", "--robots", "2", "--for", "10s"}, 3},
		{[]string{"--level", "target", "--robots", "3", "--for", "2s"}, 3},
		{[]string{"--level", "target", "--robots", "8", "--for", "1s"}, 2},
		{[]string{"--world", mixture, "--for", "2s"}, 3},
	} {
		first := run(c.args)
		if seen[first] {
			t.Errorf("%q: the trace of another run", c.args)
		}
		seen[first] = true
		for range c.runs - 1 {
			if got := run(c.args); got != first {
				t.Errorf("%q: %s, and again %s", c.args, first, got)
			}
		}
	}
}

// targetMixture is a world with robots of all levels.
const targetMixture = `arena: {size: [1.2, 1.2]}
robots:
  - {name: t, level: target, position: [-0.3, 0]}
  - {name: f, level: functional, position: [0, 0.3]}
  - {name: h, level: firmware, position: [0.3, 0]}
  - {name: m, model: thymio2, position: [0, -0.3]}
  - {name: u, level: target, position: [0.3, 0.3]}
`
