// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// listeners starts a world of functional robots that all listen.
func listeners(t *testing.T, text string, opts sim.Options) (*sim.Simulation, *sim.Clock) {
	t.Helper()
	w, err := sim.ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, clock := start(t, w, opts)
	for _, m := range s.Robots() {
		m.Listen(true)
	}
	return s, clock
}

// send makes robot i send a message and returns what robot j receives then.
func send(t *testing.T, s *sim.Simulation, clock *sim.Clock, i, j int, what string) []sim.Heard {
	t.Helper()
	if err := s.Robots()[i].Say([]byte(what)); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(sim.MessagePeriod)
	heard, _ := s.Robots()[j].Hear(nil)
	return heard
}

// A message has its sender's distance and direction, and is received once.
func TestRangeAndBearing(t *testing.T) {
	for _, c := range []struct{ x, y, yaw, bearing float64 }{
		{0.2, 0, 0, 0}, {0, 0.2, 0, math.Pi / 2}, {-0.2, 0, 0, math.Pi}, {0.1, -0.1, 0, -math.Pi / 4},
		{0.2, 0, 1, -1}, {-0.1, -0.1, 2, math.Pi*5/4 - 2},
	} {
		s, clock := listeners(t, fmt.Sprintf("range_and_bearing: {loss: 0}\nrobots: [{name: a, level: functional, yaw: %g}, {name: b, position: [%g, %g]}]",
			c.yaw, c.x, c.y), sim.Options{Quiet: true})
		h := send(t, s, clock, 1, 0, "hi")
		if len(h) != 1 || string(h[0].Payload) != "hi" {
			t.Fatalf("%+v: heard %v", c, h)
		}
		near(t, "range", h[0].Range, math.Hypot(c.x, c.y), 1e-12)
		near(t, "bearing", math.Remainder(h[0].Bearing-c.bearing, 2*math.Pi), 0, 1e-9)
		clock.Sleep(sim.MessagePeriod)
		if again, _ := s.Robots()[0].Hear(nil); len(again) != 0 {
			t.Errorf("heard twice: %v", again)
		}
	}
}

// Walls, things and other bodies between two robots block messages, low things and robots in the air don't; and it is
// not far.
func TestOcclusion(t *testing.T) {
	const two = "range_and_bearing: {loss: 0, range: 0.3}\nrobots:\n- {name: a, level: functional}\n- {name: b, position: [0.25, 0]}\n"
	for _, c := range []struct {
		name, more string
		heard      int
	}{
		{"free", "", 1},
		{"wall", "walls: [{from: [0.12, -0.1], to: [0.12, 0.1]}]", 0},
		{"low wall", "walls: [{from: [0.12, -0.1], to: [0.12, 0.1], height: 0.02}]", 1},
		{"wall next to it", "walls: [{from: [0.12, 0.05], to: [0.12, 0.1]}]", 1},
		{"third robot", "- {name: c, position: [0.125, 0.01], level: functional}", 0},
		{"third robot next to it", "- {name: c, position: [0.125, 0.05], level: functional}", 1},
	} {
		s, clock := listeners(t, two+c.more, sim.Options{})
		for i, j := range []int{1, 0} {
			if h := send(t, s, clock, i, j, "x"); len(h) != c.heard {
				t.Errorf("%s: robot %d heard %d messages, want %d", c.name, j, len(h), c.heard)
			}
		}
	}
	s, clock := listeners(t, "range_and_bearing: {loss: 0, range: 0.2}\nrobots: [{name: a}, {name: b, position: [0.25, 0]}]", sim.Options{})
	if h := send(t, s, clock, 1, 0, "x"); len(h) != 0 {
		t.Errorf("heard out of range: %v", h)
	}
	s, clock = listeners(t, two, sim.Options{})
	sim.RobotsOf[*sim.Firmware](s)[0].PickUp()
	if h := send(t, s, clock, 1, 0, "x"); len(h) != 0 {
		t.Errorf("heard a robot in the air: %v", h)
	}
}

// Loss and noise are as the world file says.
func TestLossAndNoise(t *testing.T) {
	s, clock := listeners(t, "range_and_bearing: {loss: 0.3, range_noise: 0.05, bearing_noise: 0.2}\n"+
		"robots: [{name: a, level: functional}, {name: b, position: [0.2, 0]}]", sim.Options{Seed: 1})
	const n = 3000
	heard, r, rr, bb := 0.0, 0.0, 0.0, 0.0
	for range n {
		for _, h := range send(t, s, clock, 1, 0, "x") {
			heard++
			r += h.Range
			rr += (h.Range - 0.2) * (h.Range - 0.2)
			bb += h.Bearing * h.Bearing
		}
	}
	near(t, "share heard", heard/n, 0.7, 0.03)
	near(t, "mean range", r/heard, 0.2, 0.001)
	near(t, "spread of the range", math.Sqrt(rr/heard), 0.01, 0.001)
	near(t, "spread of the bearing", math.Sqrt(bb/heard), 0.2, 0.01)
}

func TestMessagesAreShort(t *testing.T) {
	s, clock := listeners(t, "range_and_bearing: {loss: 0}\nrobots: [{name: a, level: functional}, {name: b, position: [0.2, 0]}]", sim.Options{})
	for _, m := range s.Robots() {
		if err := m.Say(make([]byte, sim.MaxMessage+1)); !errors.Is(err, sim.ErrRange) {
			t.Errorf("%s: %v", m.Name(), err)
		}
	}
	if h := send(t, s, clock, 1, 0, string(make([]byte, sim.MaxMessage))); len(h) != 1 || len(h[0].Payload) != sim.MaxMessage {
		t.Errorf("heard %v", h)
	}
	if h := send(t, s, clock, 1, 0, ""); len(h) != 1 || len(h[0].Payload) != 0 {
		t.Errorf("an empty message: %v", h)
	}
}

func TestControlPeriod(t *testing.T) {
	s, clock := start(t, mixed(t, 2), sim.Options{})
	a := sim.RobotsOf[*sim.Functional](s)[0]
	for _, p := range []time.Duration{0, -time.Second, 15 * time.Millisecond} {
		if err := a.SetController(huddle{}, p); !errors.Is(err, sim.ErrRange) {
			t.Errorf("period %v: %v", p, err)
		}
	}
	c := new(counter)
	clock.Sleep(123 * time.Millisecond)
	if err := a.SetController(c, 30*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(177 * time.Millisecond)
	s.Elapsed()
	if err := a.SetController(nil, 0); err != nil {
		t.Fatal(err)
	}
	clock.Sleep(time.Second)
	s.Elapsed()
	if fmt.Sprint(*c) != "[150ms 180ms 210ms 240ms 270ms 300ms]" {
		t.Errorf("called at %v", *c)
	}
}

// counter notes when it is called.
type counter []time.Duration

func (c *counter) Step(r *sim.Control) { *c = append(*c, r.Time()) }
