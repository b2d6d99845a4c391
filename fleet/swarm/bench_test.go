// SPDX-License-Identifier: Apache-2.0

//go:build linux

package swarm_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// processorTime returns what this process has used so far, s.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// talker avoids obstacles and sends an infrared message to the robots near it.
type talker struct{ swarm.Avoider }

// Step implements swarm.Controller.
func (t *talker) Step(r swarm.Robot) {
	t.Avoider.Step(r)
	_ = r.Say([]byte{1, 2})
	r.Heard()
}

// BenchmarkSwarm is the processor time of a robot-second at 2.5 robots/m², ten control steps a second, with obstacle
// avoidance by eight noisy proximity sensors, with messages between robots and without. Its figures are in
// docs/explanation/simulation.md and in the README.
func BenchmarkSwarm(b *testing.B) {
	for _, level := range world.Levels() {
		for _, n := range []int{1, 10, 100, 1000, 10000} {
			if level == world.LevelFirmware && n > 1000 {
				continue
			}
			b.Run(fmt.Sprintf("%s/robots=%d", level, n), func(b *testing.B) {
				benchmarkSwarm(b, n, level, named(b, "avoid"), 1)
			})
		}
	}
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("talking/robots=%d", n), func(b *testing.B) {
			benchmarkSwarm(b, n, world.LevelFunctional, func(string) swarm.Controller { return new(talker) }, 1)
		})
	}
}

func benchmarkSwarm(b *testing.B, n int, level string, maker swarm.Maker, cores int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	w := field(b, math.Sqrt(float64(n)/2.5), n, level)
	w.RangeAndBearing.Range = 0.8 // as of ARGoS' e-puck
	r := run(b, w, swarm.Config{Seed: 1, Controller: maker, Workers: cores}, time.Second)
	runtime.GC()
	runtime.ReadMemStats(&after)
	begun := processorTime()
	for b.Loop() {
		if err := r.Advance(context.Background(), time.Second); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((processorTime()-begun)*1e6/float64(b.N)/float64(n), "cpu-µs/robot-s")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "s/s")
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1000/float64(n), "kB/robot")
}

// BenchmarkCores is simulated seconds a second on one core and on two, statistics included, and their ratio: of the
// medians of seconds made in turn, for a machine that has other work, or whose cores have a second thread that others
// use, is fast at one time and slow at another. For comparison two worlds of half the robots, one on each core, that
// have nothing in common: what the machine gives.
func BenchmarkCores(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("robots=%d", n), func(b *testing.B) {
			world := func(n, cores int) *swarm.Run {
				w := field(b, math.Sqrt(float64(n)/2.5), n, world.LevelFunctional)
				return run(b, w, swarm.Config{Seed: 1, Controller: named(b, "avoid"), Workers: cores}, time.Second)
			}
			advance := func(r *swarm.Run) {
				if err := r.Advance(context.Background(), time.Second); err != nil {
					b.Error(err)
				}
			}
			one, two, halves := world(n, 1), world(n, 2), [2]*swarm.Run{world(n/2, 1), world(n/2, 1)}
			var took [3][]float64
			for b.Loop() {
				for i, f := range []func(){func() { advance(one) }, func() { advance(two) }, func() {
					var both sync.WaitGroup
					both.Go(func() { advance(halves[0]) })
					advance(halves[1])
					both.Wait()
				}} {
					begun := time.Now()
					f()
					took[i] = append(took[i], time.Since(begun).Seconds())
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			median := func(i int) float64 { return took[i][len(took[i])/2] }
			b.ReportMetric(1/median(0), "s/s-1-core")
			b.ReportMetric(1/median(1), "s/s-2-cores")
			b.ReportMetric(median(0)/median(1), "ratio")
			b.ReportMetric(median(0)/median(2), "ratio-of-halves")
		})
	}
}

// BenchmarkLoad is how long it takes until a world with so many robots is there, s.
func BenchmarkLoad(b *testing.B) {
	const n = 10000
	for b.Loop() {
		w := field(b, math.Sqrt(n/2.5), n, world.LevelFunctional)
		if _, err := swarm.New(w, swarm.Config{Controller: named(b, "avoid")}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/load")
}

// BenchmarkARGoS runs ARGoS on scenes of the same numbers of robots, 100 seconds each, if EPUCK_ARGOS names a folder
// that scripts/argos.sh has made. Without it the benchmark is left out.
func BenchmarkARGoS(b *testing.B) {
	folder := os.Getenv("EPUCK_ARGOS")
	if folder == "" {
		b.Skip("EPUCK_ARGOS names no folder with ARGoS and its scenes (scripts/argos.sh)")
	}
	for _, scene := range []string{"scene", "talk"} {
		for _, n := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("%s/robots=%d", scene, n), func(b *testing.B) {
				used := 0.0
				for b.Loop() {
					cmd := exec.Command(filepath.Join(folder, "bin", "argos3"), "-z", "-n", "-c", fmt.Sprintf("%s-%d.argos", scene, n))
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
}
