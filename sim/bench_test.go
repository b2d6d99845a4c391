// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// second runs one simulated second as a driver at 20 Hz uses it.
func second(g *rig, left, right int) {
	for range 20 {
		g.exchange(left, right)
		g.clock.Sleep(50*time.Millisecond - 6210*time.Microsecond)
	}
}

// BenchmarkSecond is the cost of a simulated second with 20 exchanges.
func BenchmarkSecond(b *testing.B) {
	for _, c := range []struct {
		name, world string
		left, right int
	}{
		{"at rest", "arena", 0, 0},
		{"driving", "arena", 250, 500},
		{"fast", "arena", 1100, 900},
		{"against_wall", "empty", 1100, 1100},
		{"maze", "maze", 300, 500},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := newRig(b, c.world, sim.Options{MaxCatchUp: -1})
			if c.name == "against_wall" {
				g.drive(1100, 1100, 20*time.Second)
			}
			b.ReportAllocs()
			for b.Loop() {
				second(g, c.left, c.right)
			}
		})
	}
}

// BenchmarkExchange is the cost of one exchange by itself.
func BenchmarkExchange(b *testing.B) {
	w, err := sim.LoadWorld("arena")
	if err != nil {
		b.Fatal(err)
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: clock.Now})
	if err != nil {
		b.Fatal(err)
	}
	bus := sim.RobotsOf[*sim.Firmware](s)[0].Bus()
	var cmd [20]byte
	var reply [47]byte
	b.ReportAllocs()
	for b.Loop() {
		clock.Sleep(10 * time.Millisecond) // a new infrared cycle each time
		if err := bus.Tx(0x1F, cmd[:], reply[:]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTruth is the cost of looking at a robot.
func BenchmarkTruth(b *testing.B) {
	g := newRig(b, "arena", sim.Options{})
	b.ReportAllocs()
	for b.Loop() {
		g.robot.GroundTruth()
	}
}
