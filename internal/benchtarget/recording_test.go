// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"path/filepath"
	"testing"
)

// recordingBudget is the share of the robot's core that recording all topics may cost more.
const recordingBudget = 0.02

// TestRecordingKeepsItsBudget counts the instructions of the whole program at 20 Hz without and with a recorder of all
// topics in it. It has three tries: how often a goroutine is woken differs with what else this computer does.
func TestRecordingKeepsItsBudget(t *testing.T) {
	if testing.Short() {
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
	t.Errorf("recording costs %.2f %% of the core more, at most %.0f %%", 100*more, 100*recordingBudget)
}

// buildCounting makes only what counts the benchmarks that need no listener.
func buildCounting(ctx context.Context, dir string) (tools, error) {
	t := tools{dir: dir, robot: filepath.Join(dir, "robot.test")}
	var err error
	if t.plugin, err = buildPlugin(ctx, dir); err != nil {
		return t, err
	}
	robot := []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm", "GOARM=6"}
	return t, command(ctx, "", robot, "go", "test", "-c", "-o", t.robot, project+"/cmd/epuck-driver")
}

// recording is the share of the core that recording costs more.
func (t tools) recording(tb *testing.T) float64 {
	tb.Helper()
	measure := func(benchmark string) (instructions, kernel float64) {
		n, err := t.measure(tb.Context(), scenario{benchmark: benchmark, times: 200})
		if err != nil {
			tb.Fatal(err)
		}
		one := n.per()
		return one.instructions, kernelCycles(one.calls)
	}
	idle, idleKernel := measure("BenchmarkTargetCycle")
	recorded, recordedKernel := measure("BenchmarkTargetRecord")
	const rate = 20
	share := func(cycles float64) float64 { return cycles * rate / coreHz }
	more := share((recorded - idle) * cyclesPerInstruction)
	tb.Logf("recording: %.0f instructions a cycle more than %.0f: %.2f %% of the core, with the kernel %.2f %%",
		recorded-idle, idle, 100*more, 100*(more+share(recordedKernel-idleKernel)))
	if recorded < idle*1.2 {
		tb.Error("recording costs hardly anything: is there a recorder?")
	}
	return more
}
