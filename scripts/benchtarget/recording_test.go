// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// recordingBudget is how many more instructions a control cycle may execute while all topics are recorded: 2 % of the
// robot's core at 20 Hz with two cycles each. The test also logs the cycles by the model.
const recordingBudget = 0.02 * 1e9 / 20 / 2

// TestRecordingKeepsItsBudget counts the instructions of the whole program at 20 Hz without and with a recorder of all
// topics. It has three tries: the number of wake-ups depends on the load of this machine.
func TestRecordingKeepsItsBudget(t *testing.T) {
	if !suite.Long {
		t.Skip("builds the program for the robot, and runs it where it is measured: on a PC")
	}
	c, err := buildCounting(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	more := 0.0
	for range 3 {
		if more = c.recording(t); more <= recordingBudget {
			return
		}
	}
	t.Errorf("recording costs %.0f instructions a cycle more, at most %.0f", more, recordingBudget)
}

// buildCounting builds only what benchmarks without a listener need.
func buildCounting(ctx context.Context, dir string) (tools, error) {
	t := tools{dir: dir, robot: filepath.Join(dir, "robot.test")}
	var err error
	if t.plugin, err = armcost.BuildPlugin(ctx, dir); err != nil {
		return t, err
	}
	robot := []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm", "GOARM=6"}
	return t, command(ctx, "", robot, "go", "test", "-c", "-tags", "system", "-o", t.robot, project+"/cmd/epuck-driver")
}

// recording returns how many more instructions a control cycle executes while recording.
func (t tools) recording(tb *testing.T) float64 {
	tb.Helper()
	p, err := armcost.Literature()
	if err != nil {
		tb.Fatal(err)
	}
	measure := func(benchmark string) armcost.Estimate {
		n, err := t.measure(tb.Context(), scenario{benchmark: benchmark, times: 200})
		if err != nil {
			tb.Fatal(err)
		}
		return p.Of(n.per().Counts)
	}
	const rate = 20
	idle, recorded := measure("BenchmarkTargetCycle"), measure("BenchmarkTargetRecord")
	more := recorded.Instructions - idle.Instructions
	tb.Logf("recording: %.0f instructions a cycle more than %.0f; by the model %.2f %% of the core", more, idle.Instructions,
		100*rate*(recorded.Seconds.Likely-idle.Seconds.Likely))
	if recorded.Instructions < idle.Instructions*1.2 {
		tb.Error("recording costs hardly anything: is there a recorder?")
	}
	return more
}
