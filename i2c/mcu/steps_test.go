// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"testing"
	"time"
)

func TestRestart(t *testing.T) {
	for _, c := range []struct {
		name   string
		count  [2]float64
		melody bool // leave an offset behind first
		off    time.Duration
		events string
	}{
		{"far from 0, quick", [2]float64{20000, -20000}, false, 0, "MCU restarted/0"},
		{"one wheel far", [2]float64{20000, 0}, false, time.Second, "MCU restarted/0"},
		{"with an offset", [2]float64{20000, 300}, true, time.Second, "MCU restarted/0"},
		{"near 0, after an outage", [2]float64{300, 200}, true, 1500 * time.Millisecond, "MCU restarted/0"},
		{"at 0", [2]float64{0, 0}, false, time.Second, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.f.count, r.f.truth = c.count, c.count
			r.cycle(2, Command{})
			if c.melody {
				_ = r.d.PlayMelody(1)
				r.cycle(3, Command{})
			}
			r.events = nil
			r.f.restart()
			r.bus.Unplug(true)
			for start := r.f.now; r.f.now.Sub(start) < c.off; r.f.pass(50 * time.Millisecond) {
				if _, err := r.d.Exchange(Command{}); err == nil {
					t.Fatal("a robot that is off answers")
				}
			}
			r.bus.Unplug(false)
			s := r.cycle(2, Command{})
			if h := r.happened(); h != c.events {
				t.Errorf("events %q, want %q", h, c.events)
			}
			if s.LeftSteps != 0 || s.RightSteps != 0 {
				t.Errorf("the counters are not the MCU's: %d, %d", s.LeftSteps, s.RightSteps)
			}
		})
	}
}

// TestNoRestart: driving, wrap-around and waiting are no restarts.
func TestNoRestart(t *testing.T) {
	r := newRig(t)
	for i := range 200 { // 200 times 0.2 s at 1111 steps/s, and an outage of up to 2 s
		r.cycle(4, Command{Left: 1100, Right: -1100})
		r.bus.Unplug(true)
		for range i % 5 {
			if _, err := r.d.Exchange(Command{}); err == nil {
				t.Fatal("unplugged robot answers")
			}
			r.f.pass(500 * time.Millisecond)
		}
		r.bus.Unplug(false)
	}
	s := r.cycle(1, Command{})
	if st := r.d.Counters(); st.Restarts != 0 || r.happened() != "" || r.drift(s) > 60 {
		t.Errorf("%d restarts, off by %v", st.Restarts, r.drift(s))
	}
}

// TestThroughZero drives back through 0 over a failed exchange: no restart.
func TestThroughZero(t *testing.T) {
	r := newRig(t)
	r.f.count, r.f.truth = [2]float64{100, 100}, [2]float64{100, 100}
	r.cycle(1, Command{Left: -1100, Right: -1100})
	r.bus.Unplug(true)
	if _, err := r.d.Exchange(Command{Left: -1100, Right: -1100}); err == nil {
		t.Fatal("unplugged robot answers")
	}
	r.f.pass(40 * time.Millisecond)
	r.bus.Unplug(false)
	s := r.cycle(1, Command{})
	if dist(s.LeftSteps, 0) > stillSteps || r.happened() != "" {
		t.Errorf("at %d, events %v", s.LeftSteps, r.events)
	}
}

// TestRestartWhileMelodyIsOut: a melody lost in the restart is sent again, and its offset is not applied.
func TestRestartWhileMelodyIsOut(t *testing.T) {
	r := newRig(t)
	r.f.count = [2]float64{9000, 9000}
	r.cycle(2, Command{})
	_ = r.d.PlayMelody(1)
	if _, err := r.d.Exchange(Command{}); err != nil {
		t.Fatal(err)
	}
	r.f.restart()
	s := r.cycle(4, Command{})
	if len(r.f.melodies) != 2 || r.happened() != "MCU restarted/0, melody accepted/2" {
		t.Errorf("melodies %v, events %v", r.f.melodies, r.events)
	}
	if s.LeftSteps != 0 || s.RightSteps != 0 {
		t.Errorf("counters %d, %d after a restart", s.LeftSteps, s.RightSteps)
	}
}
