// SPDX-License-Identifier: Apache-2.0

//go:build linux

package sim_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// amongPucks returns a world of 100 functional robots among pucks, 50 cells/m², of which every tenth has a robot: half
// of them avoid what they sense, the others drive straight on and push.
func amongPucks(t testing.TB, pucks int, lights string) (*sim.Simulation, *sim.Clock) {
	t.Helper()
	const robots, apart = 100, 0.14
	columns := int(math.Ceil(math.Sqrt(1000 + robots)))
	side := float64(columns) * apart
	var things, units strings.Builder
	put, placed := 0, 0
	for i := range columns * columns {
		x, y := (float64(i%columns)+0.5)*apart-side/2, (float64(i/columns)+0.5)*apart-side/2
		switch {
		case i%11 == 5 && placed < robots:
			fmt.Fprintf(&units, "- {name: r%d, level: functional, position: [%.4f, %.4f], yaw: %d}\n", placed, x, y, placed%6)
			placed++
		case put < pucks:
			fmt.Fprintf(&things, "- {position: [%.4f, %.4f], radius: 0.02, height: 0.04, movable: true, mass: 0.02}\n", x, y)
			put++
		}
	}
	text := fmt.Sprintf("arena: {size: [%g, %g]}\n%s", side, side, lights)
	if pucks > 0 {
		text += "cylinders:\n" + things.String()
	}
	w, err := sim.ParseWorld([]byte(text + "robots:\n" + units.String()))
	if err != nil {
		t.Fatal(err)
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: clock.Now, Seed: 1, Trace: true, MaxCatchUp: -1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range sim.RobotsOf[*sim.Functional](s) {
		var c sim.Controller = &steering{}
		if i%2 == 1 {
			c = straight{}
		}
		if err := a.SetController(c, 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	return s, clock
}

// straight drives straight on, whatever it senses.
type straight struct{}

func (straight) Step(r *sim.Control) {
	r.Proximity()
	r.SetWheels(5, 5)
}

// BenchmarkPucks is the processor time of an infrared cycle, 10 ms, of 100 functional robots among movable things: the
// mean of the turns of a second, and of these the median.
func BenchmarkPucks(b *testing.B) {
	for _, lights := range []string{"", "lights: [{position: [0, 0, 0.5], intensity: 0.1}]\n"} {
		for _, pucks := range []int{0, 100, 1000} {
			b.Run(fmt.Sprintf("light=%t/pucks=%d", lights != "", pucks), func(b *testing.B) {
				s, clock := amongPucks(b, pucks, lights)
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				var took []float64
				for b.Loop() {
					begun := processorTime(b)
					clock.Sleep(time.Second)
					s.Elapsed()
					took = append(took, (processorTime(b) - begun).Seconds())
				}
				slices.Sort(took)
				b.ReportMetric(took[len(took)/2]*1e6/100, "µs/cycle")
			})
		}
	}
}
