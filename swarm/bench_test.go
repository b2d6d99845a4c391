// SPDX-License-Identifier: Apache-2.0

package swarm_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/swarm"
)

// processorTime returns what this process has used so far, s.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkSwarm is the processor time of a robot-second at 2.5 robots/m², ten control steps a second, with obstacle
// avoidance by eight noisy proximity sensors.
func BenchmarkSwarm(b *testing.B) {
	for _, level := range world.Levels() {
		for _, n := range []int{1, 10, 100, 1000, 10000} {
			if level == world.LevelFirmware && n > 1000 {
				continue
			}
			b.Run(fmt.Sprintf("%s/robots=%d", level, n), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				r := run(b, field(b, math.Sqrt(float64(n)/2.5), n, level), swarm.Config{Seed: 1, Controller: named(b, "avoid")}, time.Second)
				runtime.GC()
				runtime.ReadMemStats(&after)
				begun := processorTime()
				for b.Loop() {
					if err := r.Advance(context.Background(), time.Second); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((processorTime()-begun)*1e6/float64(b.N)/float64(n), "cpu-µs/robot-s")
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1000/float64(n), "kB/robot")
			})
		}
	}
}

// BenchmarkARGoS runs ARGoS on a scene of the same number of robots, if EPUCK_ARGOS names a folder with its program
// (bin/argos3) and a file scene-N.argos for each number N of robots: 100 seconds of obstacle avoidance with eight noisy
// proximity rays at 2.5 robots/m² and ten ticks a second. Without it the benchmark is left out.
func BenchmarkARGoS(b *testing.B) {
	folder := os.Getenv("EPUCK_ARGOS")
	if folder == "" {
		b.Skip("EPUCK_ARGOS names no folder with ARGoS and its scenes")
	}
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("robots=%d", n), func(b *testing.B) {
			used := 0.0
			for b.Loop() {
				cmd := exec.Command(filepath.Join(folder, "bin", "argos3"), "-z", "-n", "-c", fmt.Sprintf("scene-%d.argos", n))
				cmd.Dir = folder
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%.2000s", err, out)
				}
				used += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
			}
			b.ReportMetric(used*1e6/100/float64(b.N)/float64(n), "cpu-µs/robot-s")
		})
	}
}
