// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// listening is a robot of a level with a loud source 0.5 m to its right.
func listening(t *testing.T, level string) (*sim.Simulation, *sim.Clock) {
	t.Helper()
	w, err := sim.ParseWorld([]byte("sounds: [{position: [0, -0.5, 0.033], pressure: 1, frequency: 2000}]\nrobots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	w.Robots[0].Level = level
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, MaxCatchUp: -1, Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	clock.Sleep(time.Second)
	return s, clock
}

// TestMicrophonesHearSourcesOfTheWorld: at both levels the right microphone measures, peak to peak and as a mean of 100
// windows, what 2 Pa in the free field and the body's shade make of 1,642 counts a pascal, and more than the others.
func TestMicrophonesHearSourcesOfTheWorld(t *testing.T) {
	const windows = 100
	want := 2 * (40 + 1642*2*physics.Shade(2000, 0))
	check := func(level string, mean [4]float64) {
		t.Helper()
		if math.Abs(mean[0]/want-1) > 0.05 {
			t.Errorf("%s: the right microphone measures %.0f, want %.0f", level, mean[0], want)
		}
		for i := 1; i < 4; i++ {
			if mean[0] < 1.2*mean[i] {
				t.Errorf("%s: right %.0f, microphone %d %.0f", level, mean[0], i, mean[i])
			}
		}
	}
	s, clock := listening(t, world.LevelFunctional)
	var mean [4]float64
	for range windows {
		clock.Sleep(10 * time.Millisecond)
		sim.RobotsOf[*sim.Functional](s)[0].Do(func(c *sim.Control) {
			for i, v := range c.Volume() {
				mean[i] += float64(v) / windows
			}
		})
	}
	check("functional", mean)
	s, clock = listening(t, world.LevelFirmware)
	bus := sim.RobotsOf[*sim.Firmware](s)[0].Bus()
	mean = [4]float64{}
	var command [20]byte
	var reply [47]byte
	for range windows {
		clock.Sleep(50 * time.Millisecond)
		if err := bus.Tx(0x1F, command[:], reply[:]); err != nil {
			t.Fatal(err)
		}
		for i := range mean {
			mean[i] += float64(binary.LittleEndian.Uint16(reply[32+2*i:])) / windows
		}
	}
	check("firmware", mean)
}
