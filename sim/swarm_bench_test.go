// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// dense returns n robots of a level at 2.5 robots/m² in a square arena.
func dense(t testing.TB, n int, level string, reach float64) *sim.World {
	t.Helper()
	side := math.Sqrt(float64(n) / 2.5)
	w, err := sim.ParseWorld([]byte(fmt.Sprintf("arena: {size: [%g, %g]}\nrange_and_bearing: {range: %g}\nrobots: [{name: r}]", side, side, reach)))
	if err != nil {
		t.Fatal(err)
	}
	w.Robots[0].Level = level
	if err := sim.Distribute(w, n, sim.Uniform, 1); err != nil {
		t.Fatal(err)
	}
	return w
}

// packed returns a world of n functional robots at a density (robots/m²) in a square arena, where all drive.
func packed(t testing.TB, n int, density float64, opts sim.Options) *sim.Simulation {
	t.Helper()
	side := math.Sqrt(float64(n) / density)
	w, err := sim.ParseWorld(fmt.Appendf(nil, "arena: {size: [%g, %g]}\nrobots: [{name: r, level: functional}]", side, side))
	if err == nil {
		err = sim.Distribute(w, n, sim.Uniform, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range sim.RobotsOf[*sim.Functional](s) {
		if err := a.SetController(&steering{}, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// steering is the obstacle avoidance that other simulators are measured with: it turns to the freer side.
type steering struct{ talks bool }

func (c *steering) Step(r *sim.Control) {
	p := r.Proximity()
	right, left := p[0]+p[1]+p[2], p[5]+p[6]+p[7]
	switch {
	case left+right < 60:
		r.SetWheels(4, 4)
	case left > right:
		r.SetWheels(4, -4)
	default:
		r.SetWheels(-4, 4)
	}
	if c.talks {
		_ = r.Say([]byte{1, 2})
		r.Heard()
	}
}

// BenchmarkFunctional is the time of a robot-second: eight noisy proximity sensors of five rays, 10 control steps a
// second, bodies every 10 ms, 2.5 robots/m².
func BenchmarkFunctional(b *testing.B) {
	for _, talks := range []bool{false, true} {
		for _, cores := range []int{1, 2} {
			for _, n := range []int{1, 10, 100, 1000, 10000} {
				b.Run(fmt.Sprintf("messages=%t/cores=%d/robots=%d", talks, cores, n), func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
					clock := sim.NewClock()
					s, err := sim.New(dense(b, n, world.LevelFunctional, 0.8), sim.Options{Seed: 1, Now: clock.Now, MaxCatchUp: -1, Workers: cores})
					if err != nil {
						b.Fatal(err)
					}
					for _, a := range sim.RobotsOf[*sim.Functional](s) {
						if err := a.SetController(&steering{talks}, 100*time.Millisecond); err != nil {
							b.Fatal(err)
						}
					}
					clock.Sleep(time.Second)
					s.Elapsed()
					for b.Loop() {
						clock.Sleep(time.Second)
						s.Elapsed()
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/robot-s")
				})
			}
		}
	}
}

// BenchmarkDense is the time of a robot-second where nearly all robots are within reach of another, so that they make
// one island, on one core and on two, and their ratio: of the fastest tenth of short turns made alternately by both, so
// that other work of the machine has little part in it.
func BenchmarkDense(b *testing.B) {
	const n, turn = 1000, 100 * time.Millisecond
	for _, density := range []float64{20, 50, 80} {
		b.Run(fmt.Sprintf("density=%g", density), func(b *testing.B) {
			var worlds [2]*sim.Simulation
			var clocks [2]*sim.Clock
			for i := range worlds {
				clocks[i] = sim.NewClock()
				worlds[i] = packed(b, n, density, sim.Options{Seed: 1, Now: clocks[i].Now, MaxCatchUp: -1, Workers: i + 1})
			}
			var took [2][]float64
			for b.Loop() {
				for i := range worlds {
					clocks[i].Sleep(turn)
					begun := time.Now()
					worlds[i].Elapsed()
					took[i] = append(took[i], time.Since(begun).Seconds())
				}
			}
			fast := func(i int) float64 {
				slices.Sort(took[i])
				return took[i][len(took[i])/10] / turn.Seconds()
			}
			b.ReportMetric(fast(0)*1e6/n, "µs/robot-s")
			b.ReportMetric(fast(1)*1e6/n, "µs/robot-s-2-cores")
			b.ReportMetric(fast(0)/fast(1), "ratio")
		})
	}
}

// BenchmarkFirmware is the time of a robot-second of the firmware level without a driver: motor ticks of 10 µs, bodies
// every millisecond, 2.5 robots/m².
func BenchmarkFirmware(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("robots=%d", n), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			clock := sim.NewClock()
			s, err := sim.New(dense(b, n, world.LevelFirmware, 0.25), sim.Options{Seed: 1, Now: clock.Now, MaxCatchUp: -1})
			if err != nil {
				b.Fatal(err)
			}
			g := &rig{t: b, clock: clock, sim: s}
			for i, r := range sim.RobotsOf[*sim.Firmware](s) {
				g.robot = r
				g.exchange(300+i%200, 500-i%150)
			}
			for b.Loop() {
				clock.Sleep(time.Second)
				s.Elapsed()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/robot-s")
		})
	}
}
