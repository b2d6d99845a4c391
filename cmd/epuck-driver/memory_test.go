// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestResidentMemoryOfARobot: what ps shows for a robot more in a simulation, with its node and, at the level firmware,
// its driver, is at most what docs/explanation/simulation.md says. The heap is half of that: it doubles before it is
// collected.
func TestResidentMemoryOfARobot(t *testing.T) {
	if os.Getenv(armEnv) != "" {
		t.Skip("the robot's program has no fleets")
	}
	if !suite.Long {
		t.Skip("it takes half a minute")
	}
	const few, many = 20, 120
	for level, most := range map[string]float64{"functional": 600, "firmware": 1000} { // kB
		per := (residentOf(t, level, many) - residentOf(t, level, few)) / (many - few)
		t.Logf("%s: %.0f kB a robot", level, per)
		if per > most {
			t.Errorf("%s: %.0f kB a robot, at most %.0f", level, per, most)
		}
	}
}

// residentOf returns the memory of a simulation that has run for some seconds, kB.
func residentOf(t *testing.T, level string, robots int) (kB float64) {
	t.Helper()
	p := prepare(t)
	p.cmd = p.command("sim", "--world", "empty", "--robots", fmt.Sprint(robots), "--level", level, "--web", "off")
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "ros2 topic pub") { // the robots are there
	}
	<-time.After(5 * time.Second) // heaps grow until they are collected
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(status), "VmRSS:")
	if _, err := fmt.Sscan(text, &kB); err != nil {
		t.Fatal(err)
	}
	p.signal(syscall.SIGINT)
	for lines.Scan() {
	}
	if err := p.cmd.Wait(); err != nil {
		t.Error(err)
	}
	return kB
}
