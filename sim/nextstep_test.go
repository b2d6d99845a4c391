// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// restless drives at full speed, this way and that, and talks at times.
type restless struct{ steps int }

func (r *restless) Step(c *Control) {
	r.steps++
	p := c.Proximity()
	switch {
	case p[0]+p[7] > 200 && r.steps%7 != 0:
		c.SetWheels(7, -7)
	case r.steps%20 < 15:
		c.SetWheels(7, 6.5)
	default:
		c.SetWheels(-7, -6)
	}
	if r.steps%3 == 0 {
		_ = c.Say([]byte{byte(r.steps)})
		c.Heard()
	}
}

// pack is a world of n functional robots that drive, each with a control period of its own.
func pack(t *rapid.T, n int, side float64, periods []int) (*Simulation, *Clock) {
	w, err := ParseWorld(fmt.Appendf(nil, "arena: {size: [%g, %g]}\nrobots: [{name: r, level: functional}]", side, side))
	if err == nil {
		err = Distribute(w, n, Uniform, 1)
	}
	clock := NewClock()
	var s *Simulation
	if err == nil {
		s, err = New(w, Options{Seed: 1, Now: clock.Now, MaxCatchUp: -1, Trace: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range RobotsOf[*Functional](s) {
		if err := a.SetController(&restless{}, time.Duration(periods[i%len(periods)])*10*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	return s, clock
}

// Cycles that are made in one step are those that are made one by one: how often the world is looked at changes
// nothing; and no body gets further in a step than the crowd allows for.
func TestStridesChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 80).Draw(t, "robots")
		side := math.Sqrt(float64(n)/rapid.Float64Range(2, 40).Draw(t, "density")) + 0.3
		periods := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 4, 7, 10, 15}), 1, 3).Draw(t, "periods")
		strides, clock := pack(t, n, side, periods)
		single, tick := pack(t, n, side, periods)
		for range rapid.IntRange(1, 6).Draw(t, "looks") {
			d := time.Duration(rapid.IntRange(1, 700).Draw(t, "ms")) * time.Millisecond
			clock.Sleep(d)
			strides.Elapsed()
			for ; d > 0; d -= 10 * time.Millisecond {
				tick.Sleep(min(d, 10*time.Millisecond))
				single.Elapsed()
			}
		}
		if strides.TraceHash() != single.TraceHash() {
			t.Fatal("another trace")
		}
	})
}
