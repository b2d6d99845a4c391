// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// avoider avoids obstacles by a functional robot's sensors; machines do the same below.
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

// BenchmarkMachine is the processor time of a described e-puck2 as a share of that of the built-in functional one: the
// same field, the same controller, in turn, the best of each.
func BenchmarkMachine(b *testing.B) {
	for _, n := range []int{1, 10, 30, 100} {
		b.Run(fmt.Sprintf("robots=%d", n), func(b *testing.B) {
			took := [2]float64{math.Inf(1), math.Inf(1)}
			fields := [2]*rig{fieldOf(b, n, ""), fieldOf(b, n, "epuck2")}
			for b.Loop() {
				for i, r := range fields {
					begun := time.Now()
					r.think(time.Second)
					took[i] = min(took[i], time.Since(begun).Seconds())
				}
			}
			b.ReportMetric(took[0]*1e6/float64(n), "built-in-µs/robot-s")
			b.ReportMetric(took[1]*1e6/float64(n), "described-µs/robot-s")
			b.ReportMetric(took[1]/took[0], "ratio")
		})
	}
}

// fieldOf is a field of 2.5 robots/m² of a model.
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
	for _, a := range r.sim.Agents() {
		if err := a.SetController(avoider{}, 100*time.Millisecond); err != nil {
			b.Fatal(err)
		}
	}
	return r
}

// think lets time pass in which machines decide every 100 ms.
func (r *rig) think(d time.Duration) {
	eyes := [8]int{}
	if len(r.sim.Visitors()) > 0 {
		r.do(0, func(m *machine.Machine) {
			for i := range eyes {
				eyes[i] = deviceOf(r.t, m, fmt.Sprint("ps", i))
			}
		})
	}
	var values []float64
	for range d / (100 * time.Millisecond) {
		for _, v := range r.sim.Visitors() {
			v.Do(func(g sim.Guest) {
				m := g.(*machine.Machine)
				var p [8]float64
				for i, eye := range eyes {
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
