// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"syscall"
	"testing"

	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// paused asks for a simulation whose time is paused.
const paused = "{state: {state: 2}}"

// TestPausedSimulationEnds: a paused simulation, of one robot or of several with their drivers, ends in
// order on SIGTERM with its wheels stopped: the driver stops them over a bus whose transfers take simulated time.
func TestPausedSimulationEnds(t *testing.T) {
	for name, args := range map[string][]string{
		"one robot": nil, "two robots": {"--robots", "2", "--level", "firmware"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := prepare(t)
			p.cmd = p.command(append([]string{"sim", "--world", "plane"}, args...)...)
			if err := p.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go func() { p.ended <- p.cmd.Wait() }()
			t.Cleanup(func() { _ = p.cmd.Process.Kill() })
			const service = "/simulation/set_simulation_state"
			out, err := p.command("service", "call", service, si.SetSimulationState{}.ROSType(), paused).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			p.signal(syscall.SIGTERM)
			if status := p.wantEnd(); status != frame.ExitOK {
				t.Errorf("exit status %d", status)
			}
		})
	}
}
