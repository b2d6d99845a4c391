// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestExchangeTakesItsTime(t *testing.T) {
	g := newRig(t, "plane", sim.Options{})
	start := g.clock.Now()
	g.exchange(0, 0)
	if d := g.clock.Now().Sub(start); d != 6210*time.Microsecond {
		t.Errorf("an exchange took %v, want 6.21ms", d)
	}
	if e := g.sim.Elapsed(); e != 6210*time.Microsecond {
		t.Errorf("the world is %v old", e)
	}
}

// Without Sleep transfers take no time, and the world goes by the clock alone.
func TestWithoutSleep(t *testing.T) {
	w, err := sim.LoadWorld("plane")
	if err != nil {
		t.Fatal(err)
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.RobotsOf[*sim.Firmware](s)[0].Bus().Tx(0x1F, make([]byte, 20), make([]byte, 47)); err != nil {
		t.Fatal(err)
	}
	if e := s.Elapsed(); e != 0 {
		t.Errorf("the world is %v old", e)
	}
	clock.Sleep(-time.Second)
	clock.Sleep(time.Second)
	if e := s.Elapsed(); e != time.Second {
		t.Errorf("the world is %v old, want 1s", e)
	}
}

// On the real clock (here synctest's) the defaults work.
func TestRealClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, err := sim.LoadWorld("")
		if err != nil {
			t.Fatal(err)
		}
		s, err := sim.New(w, sim.Options{Sleep: time.Sleep})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := sim.RobotsOf[*sim.Firmware](s)[0].Bus().Tx(0x1F, make([]byte, 20), make([]byte, 47)); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d != 6210*time.Microsecond || s.Elapsed() != d {
			t.Errorf("an exchange took %v, the world is %v old", d, s.Elapsed())
		}
	})
}

// A clock that is put back stops the world, no more.
func TestClockPutBack(t *testing.T) {
	w, _ := sim.LoadWorld("plane")
	now := time.Unix(1000, 0)
	s, err := sim.New(w, sim.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Second)
	s.Elapsed()
	now = now.Add(-500 * time.Millisecond)
	if e := s.Elapsed(); e != time.Second {
		t.Errorf("the world is %v old", e)
	}
}

// After a long pause a moving robot is not simulated for all of it.
func TestLongPause(t *testing.T) {
	g := newRig(t, "empty", sim.Options{MaxCatchUp: 2 * time.Second})
	g.drive(100, -100, 24*time.Hour)
	// The world was last asked when the exchange's 21 written bytes had arrived.
	if e := g.sim.Elapsed(); e != 2*time.Second+21*90*time.Microsecond {
		t.Errorf("the world is %v old", e)
	}
	before := g.robot.GroundTruth()
	g.clock.Sleep(time.Second)
	if d := g.robot.GroundTruth().Time - before.Time; d != time.Second {
		t.Errorf("a second later the world is %v older", d)
	}
}

func TestNoBoundOnCatchingUp(t *testing.T) {
	g := newRig(t, "plane", sim.Options{MaxCatchUp: -1})
	g.drive(500, 500, 100*time.Second)
	near(t, "x", g.robot.Pose().X, 50000*step, 20*step)
}

// While nothing moves any pause costs the same, and all of it passes; at the charger, for the battery lasts seven
// hours.
func TestLongPauseStandingStill(t *testing.T) {
	g := newRig(t, "arena", sim.Options{})
	g.robot.SetCharger(true)
	g.drive(0, 0, 1000*time.Hour)
	if e := g.sim.Elapsed(); e < 1000*time.Hour {
		t.Errorf("the world is %v old", e)
	}
	g.drive(500, 500, time.Second)
	near(t, "x", g.robot.Pose().X, 500*step, 10*step)
}

func TestExchangeDoesNotAllocate(t *testing.T) {
	g := newRig(t, "swarm", sim.Options{})
	g.drive(500, 400, time.Second)
	if n := testing.AllocsPerRun(200, func() {
		_ = g.robot.Bus().Tx(0x1F, g.cmd[:], g.reply[:])
		g.clock.Sleep(50 * time.Millisecond)
	}); n != 0 {
		t.Errorf("%v allocations per exchange", n)
	}
	if n := testing.AllocsPerRun(200, func() { g.robot.GroundTruth() }); n != 0 {
		t.Errorf("%v allocations per Truth", n)
	}
}

// Many goroutines may use everything at once; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	g := newRig(t, "swarm", sim.Options{})
	var wg sync.WaitGroup
	for i, r := range sim.RobotsOf[*sim.Firmware](g.sim) {
		wg.Go(func() {
			var cmd [20]byte
			var reply [47]byte
			cmd[0], cmd[2] = byte(100+i), 100
			cmd[19] = xor(cmd[:19])
			for range 100 {
				if err := r.Bus().Tx(0x1F, cmd[:], reply[:]); err != nil || xor(reply[:46]) != reply[46] {
					t.Errorf("robot %d: %v, % x", i, err, reply)
				}
			}
		})
		wg.Go(func() {
			for k := range 100 {
				r.GroundTruth()
				r.Pose()
				r.PressButton(k%2 == 0)
				_ = r.SendRemote(k % 128)
				_ = g.sim.Move("middle", sim.Pose{X: 0.01 * float64(k%3)})
				g.sim.Elapsed()
			}
		})
	}
	wg.Wait()
}
