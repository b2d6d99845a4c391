// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// avoider avoids obstacles by a functional robot's sensors; think does the same for machines.
type avoider struct{}

func (avoider) Step(c *sim.Control) { c.SetWheels(speeds(c.Proximity())) }

func speeds(p [8]float64) (left, right float64) {
	switch r, l := p[0]+p[1]+p[2], p[5]+p[6]+p[7]; {
	case l+r < 500:
		return 5, 5
	case l > r:
		return 5, -5
	default:
		return -5, 5
	}
}

// BenchmarkMachine measures the processor time of a described e-puck2 relative to that of the functional one, in the
// same field with the same controller. Medians of alternating runs reduce the influence of other load.
func BenchmarkMachine(b *testing.B) {
	for _, n := range []int{1, 10, 30, 100} {
		b.Run(fmt.Sprintf("robots=%d", n), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			span := time.Duration(max(1, 30/n)) * time.Second // long compared with the cost of the clock
			var took [2][]float64
			fields := [2]*rig{fieldOf(b, n, ""), fieldOf(b, n, "epuck2")}
			for b.Loop() {
				for i, r := range fields {
					begun := processorTime(b)
					r.think(span)
					took[i] = append(took[i], (processorTime(b)-begun)*1e6/float64(n)/span.Seconds())
				}
			}
			builtIn, described := median(took[0]), median(took[1])
			b.ReportMetric(builtIn, "built-in-µs/robot-s")
			b.ReportMetric(described, "described-µs/robot-s")
			b.ReportMetric(described/builtIn, "ratio")
		})
	}
}

// processorTime returns the processor time of this thread so far, s.
func processorTime(b *testing.B) float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return float64(t.Nano()) / 1e9
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// fieldOf returns a field of 2.5 robots/m² of a model.
func fieldOf(b *testing.B, n int, model string) *rig {
	side := math.Sqrt(float64(n) / 2.5)
	w, err := sim.ParseWorld(fmt.Appendf(nil, "arena: {size: [%g, %g]}\nrobots: [{name: r, level: functional, position: [0, 0]}]\n", side, side))
	if err == nil {
		err = sim.Distribute(w, n, sim.Uniform, 1)
	}
	if err != nil {
		b.Fatal(err)
	}
	for i := range w.Robots {
		if model != "" {
			w.Robots[i] = world.Robot{Name: w.Robots[i].Name, Model: model, Position: w.Robots[i].Position, Yaw: w.Robots[i].Yaw}
		}
	}
	r := newRig(b, "robots: [{name: r, position: [0, 0]}]", func(o *sim.Options) { o.Quiet, o.Trace, o.Workers = false, false, 1 })
	if r.sim, err = sim.New(w, r.opts); err != nil {
		b.Fatal(err)
	}
	for _, a := range sim.RobotsOf[*sim.Functional](r.sim) {
		if err := a.SetController(avoider{}, 100*time.Millisecond); err != nil {
			b.Fatal(err)
		}
	}
	if len(sim.RobotsOf[*sim.Articulated](r.sim)) > 0 {
		r.do(0, func(m *machine.Machine) {
			for i := range r.eyes {
				r.eyes[i] = deviceOf(b, m, fmt.Sprint("ps", i))
			}
		})
	}
	return r
}

// think advances the world while a controller of the machines runs every 100 ms.
func (r *rig) think(d time.Duration) {
	robots := sim.RobotsOf[*sim.Articulated](r.sim)
	var values []float64
	for range d / (100 * time.Millisecond) {
		for _, v := range robots {
			v.Do(func(g sim.Mechanism) {
				m := g.(*machine.Machine)
				var p [8]float64
				for i, eye := range r.eyes {
					values = m.Measure(eye, values[:0])
					p[i] = values[0] - 67
				}
				left, right := speeds(p)
				m.SetVelocity(m.Wheels()[0][0], left)
				m.SetVelocity(m.Wheels()[1][0], right)
			})
		}
		r.pass(100 * time.Millisecond)
	}
}
