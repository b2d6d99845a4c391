// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// Robots of both levels detect, receive from and collide with each other.
func TestLevelsMix(t *testing.T) {
	w, err := sim.ParseWorld([]byte("range_and_bearing: {loss: 0}\nrobots:\n- {name: a, level: functional}\n- {name: b, position: [0.1, 0], yaw: 3.14159265}"))
	if err != nil {
		t.Fatal(err)
	}
	s, clock := start(t, w, sim.Options{})
	a, b := sim.RobotsOf[*sim.Functional](s)[0], sim.RobotsOf[*sim.Firmware](s)[0]
	g := &rig{t: t, clock: clock, robot: b}
	g.exchange(0, 0)
	clock.Sleep(20 * time.Millisecond)
	g.exchange(0, 0)
	if v := float64(g.word(0)) - b.InfraredOffset(0); v < 80 {
		t.Errorf("the firmware robot reads %g before the functional one", v)
	}
	a.Do(func(c *sim.Control) {
		if p := c.Proximity(); p[0] < 80 || p[3] > 20 {
			t.Errorf("the functional robot reads %v before the firmware one", p)
		}
		if d := c.Distance(); !(d > 0.01 && d < 0.08) {
			t.Errorf("its distance sensor reads %g m", d)
		}
		c.SetWheels(6, 6)
	})
	clock.Sleep(time.Second)
	if truth := a.GroundTruth(); !truth.Collided || math.Abs(truth.Pose.X-0.026) > 0.001 {
		t.Errorf("the functional robot went through the other: %+v", truth)
	}
	a.Listen(true)
	b.Listen(true)
	if err := a.Say([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if err := b.Say([]byte("you")); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(sim.MessagePeriod)
	for _, c := range []struct {
		to   sim.Robot
		want string
	}{{a, "you"}, {b, "hello"}} {
		heard, at := c.to.Hear(nil)
		if len(heard) != 1 || string(heard[0].Payload) != c.want || math.Abs(heard[0].Range-0.074) > 0.02 ||
			math.Abs(heard[0].Bearing) > 0.5 || at == 0 {
			t.Errorf("%s heard %+v at %v", c.to.Name(), heard, at)
		}
	}
}
