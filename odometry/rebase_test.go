// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// samePlace compares what must not jump.
func samePlace(a, b State) bool {
	return a.X == b.X && a.Y == b.Y && a.Theta == b.Theta && a.Left.Angle == b.Left.Angle && a.Right.Angle == b.Right.Angle &&
		a.PoseCovariance == b.PoseCovariance && a.Distance == b.Distance
}

// TestFirst: the robot may have driven before the program started.
func TestFirst(t *testing.T) {
	for _, at := range [][2]int16{{0, 0}, {12345, -32768}, {-1, 32767}} {
		o, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		s, e := o.Update(at[0], at[1], period)
		if e != EventFirst || !e.Rebased() || !samePlace(s, State{}) || s.TwistCovariance != [4]float64{unknown, 0, 0, unknown} {
			t.Errorf("%v: %v, %+v", at, e, s)
		}
		if s, e = drive(o, 10, 10); e != EventNone || s.X <= 0 {
			t.Errorf("%v: %v, %+v", at, e, s)
		}
	}
}

func TestRestart(t *testing.T) {
	for _, c := range []struct {
		name        string
		left, right int16 // before; after it the counters are 0
		dt          time.Duration
		want        Event
	}{
		{"far", 20000, -20000, period, EventRestart},
		{"one wheel", 20000, 10, period, EventRestart},
		{"over the wrap", -32768, -32768, period, EventRestart},
		{"after a second", 5000, 5000, time.Second, EventRestart},
		{"just beyond", 134, 0, period, EventRestart}, // 1.25 · 1111 · 0.05 + 64 = 133.4
		{"just within", 133, 0, period, EventNone},
		{"possible after a second", 1200, 1200, time.Second, EventNone},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := start(t, Config{}, c.left, c.right)
			before, _ := drive(o, 0, 0)
			s, e := o.Update(0, 0, c.dt)
			if e != c.want || e.Rebased() != (c.want == EventRestart) {
				t.Fatalf("event %v, want %v", e, c.want)
			}
			if e.Rebased() && (!samePlace(s, before) || s.V != 0 || s.Omega != 0 || s.Left.Velocity != 0 || s.TwistCovariance[0] != unknown) {
				t.Errorf("jumped to %+v", s)
			}
			after, e := drive(o, 20, 20)
			if e != EventNone || math.Hypot(after.X-s.X, after.Y-s.Y) > 0.003 {
				t.Errorf("continues with %v, %+v", e, after)
			}
		})
	}
}

// TestNeverJumps: whatever counters and times come in, one reading moves the robot no farther than its wheels can.
func TestNeverJumps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := start(t, Config{}, 0, 0)
		for range 30 {
			before := o.State()
			dt := time.Duration(rapid.Int64Range(-int64(time.Second), int64(3*time.Second)).Draw(t, "dt"))
			s, e := o.Update(rapid.Int16().Draw(t, "left"), rapid.Int16().Draw(t, "right"), dt)
			limit := (1.25*1111.2*max(dt.Seconds(), 0) + 64) * 0.02 * 2 * math.Pi / 1000
			if moved := math.Hypot(s.X-before.X, s.Y-before.Y); moved > limit+1e-9 || e != EventNone && moved > 0 {
				t.Fatalf("event %v moved the robot by %v m in %v", e, moved, dt)
			}
			for _, v := range []float64{s.X, s.Y, s.Theta, s.V, s.Omega, s.Left.Velocity, s.TwistCovariance[3], s.PoseCovariance[8]} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("not finite: %+v", s)
				}
			}
		}
	})
}

func TestSetGeometry(t *testing.T) {
	o := start(t, Config{}, 30000, 30000)
	drive(o, 50, 30)
	before := o.State()
	if err := o.SetGeometry(Config{WheelRadius: 0.0215, WheelDistance: 0.0514}); err != nil {
		t.Fatal(err)
	}
	if o.State() != before {
		t.Error("the pose moved")
	}
	s, e := drive(o, 0, 0)
	if e != EventGeometry || e.Rebased() || !samePlace(s, before) {
		t.Errorf("at rest: %v, %+v", e, s)
	}
	s, e = drive(o, 50, 50) // straight: only the radius counts
	if d := math.Hypot(s.X-before.X, s.Y-before.Y); e != EventNone || math.Abs(d-50*0.0215*2*math.Pi/1000) > 1e-12 {
		t.Errorf("%v: moved by %v m", e, d)
	}
	// Counters that jump in the same interval are still found.
	_ = o.SetGeometry(Config{WheelRadius: 0.02, WheelDistance: 0.05})
	before = s
	s, e = drive(o, 20000, 0)
	s.PoseCovariance = before.PoseCovariance // it grows: see TestLostMotionIsUncertain
	if e != EventRestart || !samePlace(s, before) {
		t.Errorf("jump after a change: %v, %+v", e, s)
	}
}

func TestReset(t *testing.T) {
	o := start(t, Config{}, 0, 0)
	for range 100 {
		drive(o, 50, 30)
	}
	before := o.State()
	o.Reset()
	s := o.State()
	if s.X != 0 || s.Y != 0 || s.Theta != 0 || s.Distance != 0 || s.PoseCovariance != [9]float64{} {
		t.Errorf("not at the origin: %+v", s)
	}
	if s.Left != before.Left || s.Right != before.Right || s.V != before.V || s.TwistCovariance != before.TwistCovariance {
		t.Errorf("more than the pose changed: %+v", s)
	}
	s, e := drive(o, 50, 50)
	if e != EventNone || math.Abs(s.X-50*0.02*2*math.Pi/1000) > 1e-12 || s.Y != 0 {
		t.Errorf("%v: %+v", e, s)
	}
}

func TestRebaseAndNoTime(t *testing.T) {
	o, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	o.Rebase(0) // before the first reading it is nothing new
	if _, e := o.Update(7, 7, period); e != EventFirst {
		t.Error(e)
	}
	drive(o, 10, 10)
	before := o.State()
	o.Rebase(0)
	if s, e := o.Update(10, 10, period); e != EventAsked || !samePlace(s, before) {
		t.Errorf("%v: %+v", e, s)
	}
	for _, dt := range []time.Duration{0, -1, math.MinInt64} {
		if s, e := drive(o, 20, 20); e != EventNone {
			t.Error(e, s)
		}
		before = o.State()
		if s, e := o.Update(o.left+10, o.right+10, dt); e != EventNoTime || s != before || e.Rebased() {
			t.Errorf("dt %v: %v, %+v", dt, e, s)
		}
		if s, _ := drive(o, 30, 30); math.Abs(s.X-before.X-30*0.02*2*math.Pi/1000) > 1e-12 {
			t.Errorf("dt %v: the motion is lost", dt)
		}
	}
	if _, e := o.Update(o.left, o.right, math.MaxInt64); e != EventNone {
		t.Errorf("longest time: %v", e)
	}
}

func TestEventNames(t *testing.T) {
	for e := EventNone; e <= EventNoTime; e++ {
		if e.String() == "" {
			t.Errorf("event %d has no name", e)
		}
	}
	if Event(77).String() != "event 77" {
		t.Error(Event(77))
	}
}

// TestLostMotionIsUncertain: what the wheels turned before a restart was not counted, and the pose says so.
func TestLostMotionIsUncertain(t *testing.T) {
	driving := func() (*Odometer, State) {
		o := start(t, Config{}, 0, 0)
		for range 20 {
			drive(o, 40, 40)
		}
		s, _ := drive(o, 40, 40)
		return o, s
	}
	for _, c := range []struct {
		name  string
		lose  func(o *Odometer) State
		after float64 // s at the last speed, of which a third of the square is the variance
	}{
		{"counters that jump", func(o *Odometer) State { s, _ := o.Update(-20000, 20000, 2*period); return s }, 2 * period.Seconds()},
		{"a restart", func(o *Odometer) State { o.Rebase(time.Second); s, _ := o.Update(0, 0, 3*time.Second); return s }, 1},
		{"counters set at once", func(o *Odometer) State { o.Rebase(0); s, _ := o.Update(9, 9, period); return s }, 0},
		{"a negative time", func(o *Odometer) State { o.Rebase(-time.Second); s, _ := o.Update(9, 9, period); return s }, 0},
	} {
		o, before := driving()
		s := c.lose(o)
		want := before.PoseCovariance[0] + before.V*before.V*c.after*c.after/3
		if math.Abs(s.PoseCovariance[0]-want) > 1e-9 || s.PoseCovariance[4] != before.PoseCovariance[4] || s.X != before.X {
			t.Errorf("%s: variance of x is %v m², want %v (before it was %v)", c.name, s.PoseCovariance[0], want, before.PoseCovariance[0])
		}
		again := o.State().PoseCovariance[0]
		if s, _ = drive(o, 0, 0); s.PoseCovariance[0] != again {
			t.Errorf("%s: a robot at rest becomes less certain", c.name)
		}
	}
}
