// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// feederWorld has a feeder of three pucks, of which the robot, which drives straight on, pushes the first away, and one
// of two boxes, one every 2 s, of which the second waits, since nothing moves the first.
const feederWorld = `
feeders:
  - {name: source, position: [0.1, 0], radius: 0.02, mass: 0.02, number: 3, color: "#ff0000"}
  - {position: [0, 1], size: [0.04, 0.06], yaw: 0.5, number: 2, period: 2}
robots: [{name: r, level: functional}]`

func names(s *Simulation) (all []string) {
	for _, t := range s.Things() {
		all = append(all, t.Name)
	}
	return all
}

// TestFeederPutsTheNextThingWhenTheOneBeforeWasTakenAway: by a robot that pushes it out of its place, or out of the
// world.
func TestFeederPutsTheNextThingWhenTheOneBeforeWasTakenAway(t *testing.T) {
	s, clock := pushers(t, feederWorld, Options{})
	if got := names(s); len(got) != 2 || got[0] != "source_0" || got[1] != "feeder1_0" {
		t.Fatalf("at the start: %v", got)
	}
	for _, m := range s.Things() {
		if !m.Movable || !m.Added {
			t.Errorf("%+v", m)
		}
	}
	clock.Sleep(1500 * time.Millisecond) // the robot is where the puck was
	if got := names(s); len(got) != 2 {
		t.Errorf("onto the robot: %v", got)
	}
	clock.Sleep(20 * time.Second)
	if got := names(s); len(got) != 3 || got[2] != "source_1" {
		t.Errorf("after 20 s: %v", got)
	}
	for _, name := range []string{"source_1", "feeder1_0"} {
		if err := s.Take(name); err != nil {
			t.Fatal(err)
		}
	}
	clock.Sleep(time.Minute)
	if got := names(s); len(got) != 3 || got[0] != "source_0" || got[1] != "source_2" || got[2] != "feeder1_1" {
		t.Errorf("a minute later: %v", got)
	}
}

// TestFeederObeysItsPeriod: a thing that is taken away at once is followed after the period, also in a world that
// rests.
func TestFeederObeysItsPeriod(t *testing.T) {
	s, clock := pushers(t, "feeders: [{name: f, position: [1, 0], radius: 0.02, number: 3, period: 2}]\nrobots: [{name: r}]", Options{})
	for i, name := range []string{"f_0", "f_1", "f_2"} {
		if err := s.Take(name); err != nil {
			t.Fatal(i, err)
		}
		clock.Sleep(1900 * time.Millisecond)
		if got := names(s); len(got) != 0 {
			t.Errorf("%d: too early: %v", i, got)
		}
		clock.Sleep(100 * time.Millisecond)
	}
	if got := names(s); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// waiting is a controller that does nothing.
type waiting struct{}

func (waiting) Step(*Control) {}

// TestWorldWithAFeederRests: nothing is computed while a feeder waits for its time, or for a place that nothing leaves;
// and what it puts there is the same at the same time as in a world in which a controller is asked in each cycle.
func TestWorldWithAFeederRests(t *testing.T) {
	const text = `
cylinders: [{name: blocking, position: [1, 0], radius: 0.02, movable: true}]
feeders: [{name: f, position: [1, 0], radius: 0.02, number: 3, period: 2}, {name: g, position: [-1, 0], radius: 0.02, number: 2, period: 3.3}]
robots: [{name: r, level: functional}]`
	run := func(busy bool) (hash [32]byte, all []string) {
		s, clock := pushers(t, text, Options{})
		RobotsOf[*Functional](s)[0].Do(func(c *Control) { c.SetWheels(0, 0) })
		if busy {
			if err := RobotsOf[*Functional](s)[0].SetController(waiting{}, 10*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		for i, pause := range []time.Duration{33 * time.Millisecond, 1234 * time.Millisecond, 10 * time.Second, time.Minute} {
			clock.Sleep(pause)
			s.Elapsed()
			if s.world.Kernel.Resting() == busy {
				t.Errorf("%v: the world rests: %t, with a controller: %t", pause, s.world.Kernel.Resting(), busy)
			}
			name := [...]string{"g_0", "blocking", "f_0", "f_1"}[i]
			if at := names(s); name == "blocking" {
				if err := s.Move(name, Pose{X: 2}); err != nil {
					t.Fatal(err, at)
				}
			} else if err := s.Take(name); err != nil {
				t.Fatal(pause, err, at)
			}
			all = append(all, fmt.Sprint(pause, names(s)))
		}
		return s.TraceHash(), all
	}
	hash, all := run(false)
	if h, a := run(true); h != hash || !slices.Equal(a, all) {
		t.Errorf("at rest %v, in each cycle %v", all, a)
	}
}

// TestFeederInAWallIsAnError: its place is not free at any time.
func TestFeederInAWallIsAnError(t *testing.T) {
	w, err := ParseWorld([]byte("walls: [{from: [1, -1], to: [1, 1]}]\nfeeders: [{position: [0.99, 0], radius: 0.02}]\nrobots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(w, Options{Now: NewClock().Now}); !errors.Is(err, ErrOccupied) {
		t.Errorf("%v", err)
	}
}

// TestCheckpointHasFeeders: a run that is restored continues as the one that was not, whatever the feeders have put
// into the world by then, for any number of goroutines.
func TestCheckpointHasFeeders(t *testing.T) {
	run := func(at time.Duration, workers int) [32]byte {
		s, clock := pushers(t, feederWorld, Options{Workers: workers})
		const long = 12 * time.Second
		if at > 0 {
			clock.Sleep(at)
			var file bytes.Buffer
			if err := s.Snapshot(&file); err != nil {
				t.Fatal(err)
			}
			again := NewClock()
			r, err := Restore(&file, Options{Now: again.Now, Workers: workers}, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, clock = r, again
		}
		clock.Sleep(long - at)
		return s.TraceHash()
	}
	want := run(0, 1)
	for _, at := range []time.Duration{100 * time.Millisecond, 3 * time.Second, 7 * time.Second} {
		if run(at, 1) != want || run(at, 4) != want {
			t.Errorf("restored after %v, it is another run", at)
		}
	}
}
