// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// A robot that leaves while time stands still is not seen, felt or heard any more at once.
func TestNeighbourLeavesBetweenSteps(t *testing.T) {
	w, err := sim.ParseWorld([]byte("range_and_bearing: {loss: 0}\nrobots: [{name: a, level: functional}, {name: b, level: functional, position: [0.09, 0]}]"))
	if err != nil {
		t.Fatal(err)
	}
	s, clock := start(t, w, sim.Options{Quiet: true})
	a := sim.RobotsOf[*sim.Functional](s)[0]
	for _, m := range s.Robots() {
		m.Listen(true)
		if err := m.Say([]byte("here")); err != nil {
			t.Fatal(err)
		}
	}
	clock.Sleep(sim.MessagePeriod)
	var with, without [8]float64
	a.Do(func(c *sim.Control) {
		with = c.Proximity()
		if d := c.Distance(); d > 0.1 || len(c.Heard()) != 1 {
			t.Errorf("%g m to a robot ahead, %d heard", d, len(c.Heard()))
		}
	})
	if err := s.Remove("b"); err != nil {
		t.Fatal(err)
	}
	a.Do(func(c *sim.Control) {
		without = c.Proximity()
		if d := c.Distance(); !math.IsInf(d, 1) {
			t.Errorf("%g m to a robot that has left", d)
		}
		c.Heard()
	})
	if with == without {
		t.Errorf("proximity %v with a robot ahead and without", with)
	}
	clock.Sleep(time.Second)
	a.Do(func(c *sim.Control) {
		if len(c.Heard()) != 0 {
			t.Errorf("%v is heard when the other has left", c.Heard())
		}
	})
}
