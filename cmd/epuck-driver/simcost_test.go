// SPDX-License-Identifier: Apache-2.0

//go:build system && linux && !arm

package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestSimPrintsProcessorLoad: at the end of a run each charged robot's line says what its processor did, and one that
// does not fit has lost cycles.
func TestSimPrintsProcessorLoad(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "sim", "--world", "empty", "--robots", "3", "--level", "functional,epuck1=firmware",
		"--cost", "table,epuck2=0.08,epuck3=none", "--real-time-factor", "max", "--for", "10s", "--web=")
	cmd.Env = append(os.Environ(), programEnv+"=1", "ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=72")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`Robot "epuck1", 10\.0 s: \d\.\d+ \([0-9.]+ to [0-9.]+\) % of the core, by the table of costs; `,
		`Robot "epuck2", 10\.0 s: \d+\.?\d* \([0-9.]+ to [0-9.]+\) % of the core, by 0\.08 s a callback; .*\n  control cycles: 12\d made, 7\d lost`,
		`energy: .* J for the processor's work; widest by power_`,
	} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if strings.Contains(string(out), `Robot "epuck3", 10`) {
		t.Errorf("a robot without costs has a report:\n%s", out)
	}
}
