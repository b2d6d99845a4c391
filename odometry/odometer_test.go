// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const period = 50 * time.Millisecond

// start makes an odometer that has had its first reading.
func start(t interface{ Fatal(...any) }, cfg Config, left, right int16) *Odometer {
	o, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, e := o.Update(left, right, 0); e != EventFirst {
		t.Fatal("first reading:", e)
	}
	return o
}

// drive moves the counters of an odometer by steps in one period.
func drive(o *Odometer, dl, dr int16) (State, Event) { return o.Update(o.left+dl, o.right+dr, period) }

// walker is the true motion: speeds that change, counters as the MCU counts.
type walker struct {
	x, y, theta float64
	steps       [2]float64
	geometry    Config
}

// move drives with speeds vl, vr, steps/s, and gives the counters.
func (r *walker) move(vl, vr float64, dt time.Duration) (int16, int16) {
	h := dt.Seconds()
	r.steps[0] += vl * h
	r.steps[1] += vr * h
	mPerStep := 2 * math.Pi / r.geometry.StepsPerTurn * r.geometry.WheelRadius
	pl, pr := vl*h*mPerStep, vr*h*mPerStep
	r.x, r.y, r.theta = arc(r.x, r.y, r.theta, (pl+pr)/2, (pr-pl)/r.geometry.WheelDistance)
	return int16(int64(r.steps[0])), int16(int64(r.steps[1]))
}

// TestAgainstArc drives arcs of whole steps at random speeds and time steps: the closed form to a few millionths.
func TestAgainstArc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := start(t, Config{}, rapid.Int16().Draw(t, "left"), rapid.Int16().Draw(t, "right"))
		cfg := o.Config()
		mPerStep := 2 * math.Pi / cfg.StepsPerTurn * cfg.WheelRadius
		var x, y, theta, total float64
		for range rapid.IntRange(1, 40).Draw(t, "intervals") {
			dt := time.Duration(rapid.Int64Range(int64(time.Millisecond), int64(2*time.Second)).Draw(t, "dt"))
			reach := 1111 * dt.Seconds()
			dl := int16(rapid.Float64Range(-reach, reach).Draw(t, "dl"))
			dr := int16(rapid.Float64Range(-reach, reach).Draw(t, "dr"))
			s, e := o.Update(o.left+dl, o.right+dr, dt)
			pl, pr := float64(dl)*mPerStep, float64(dr)*mPerStep
			path, turn := (pl+pr)/2, (pr-pl)/cfg.WheelDistance
			x, y, theta = arc(x, y, theta, path, turn)
			total += math.Abs(path)
			if e != EventNone {
				t.Fatalf("event %v", e)
			}
			if off := math.Hypot(s.X-x, s.Y-y); off > 2e-6*total+1e-9 || angleBetween(s.Theta, theta) > 1e-9 {
				t.Fatalf("off by %g m and %g rad after %g m", off, angleBetween(s.Theta, theta), total)
			}
			if h := dt.Seconds(); math.Abs(s.V-path/h) > 1e-9 || math.Abs(s.Omega-turn/h) > 1e-9 || math.Abs(s.Distance-total) > 1e-9 {
				t.Fatalf("twist %v, %v, distance %v", s.V, s.Omega, s.Distance)
			}
			if math.Abs(s.Left.Velocity-float64(dl)/1000*2*math.Pi/dt.Seconds()) > 1e-9 {
				t.Fatalf("left wheel %+v", s.Left)
			}
		}
	})
}

// TestWrapAround drives both wheels over ±32768 in all directions, many times round.
func TestWrapAround(t *testing.T) {
	for _, v := range [][2]int16{{55, 55}, {-55, -55}, {55, -55}, {-55, 55}, {1, -55}, {53, 54}} {
		o := start(t, Config{}, 32700, -32700)
		const n = 12_000 // up to 10 times round
		var s State
		var e Event
		for range n {
			if s, e = drive(o, v[0], v[1]); e != EventNone {
				t.Fatalf("%v: event %v", v, e)
			}
		}
		l, r := float64(v[0])*n*2*math.Pi/1000, float64(v[1])*n*2*math.Pi/1000
		if math.Abs(s.Left.Angle-l) > 1e-6 || math.Abs(s.Right.Angle-r) > 1e-6 {
			t.Errorf("%v: wheels at %v and %v rad, want %v and %v", v, s.Left.Angle, s.Right.Angle, l, r)
		}
		if want := math.Abs(l+r) / 2 * 0.02; math.Abs(s.Distance-want) > 1e-6 {
			t.Errorf("%v: distance %v, want %v", v, s.Distance, want)
		}
		if turn := (r - l) * 0.02 / 0.05685; angleBetween(s.Theta, turn) > 1e-6 {
			t.Errorf("%v: heading %v, want %v", v, s.Theta, wrap(turn))
		}
	}
}

// TestLostReadings leaves out readings, up to 2 s of them: the wheels lose nothing, a constant motion no pose either.
func TestLostReadings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vl, vr := rapid.Float64Range(-1100, 1100).Draw(t, "vl"), rapid.Float64Range(-1100, 1100).Draw(t, "vr")
		o := start(t, Config{}, 0, 0)
		r := walker{geometry: o.Config()}
		var s State
		for range 50 {
			lost := rapid.IntRange(0, 40).Draw(t, "lost")
			dt := period * time.Duration(lost+1)
			left, right := r.move(vl, vr, dt)
			var e Event
			if s, e = o.Update(left, right, dt); e != EventNone {
				t.Fatalf("event %v after %d lost readings", e, lost)
			}
		}
		for i, w := range []Wheel{s.Left, s.Right} {
			if want := r.steps[i] * 2 * math.Pi / 1000; math.Abs(w.Angle-want) > 2*math.Pi/1000 {
				t.Fatalf("wheel %d at %v rad, want %v", i, w.Angle, want)
			}
		}
		if off := math.Hypot(s.X-r.x, s.Y-r.y); off > 0.003 || angleBetween(s.Theta, r.theta) > 0.01 {
			t.Fatalf("off by %v m and %v rad", off, angleBetween(s.Theta, r.theta))
		}
	})
}

// TestHour drives an hour at 20 Hz with speeds that change and time steps that vary, through wraps and lost readings.
func TestHour(t *testing.T) {
	o := start(t, Config{}, 0, 0)
	r := walker{geometry: o.Config()}
	var now, last time.Duration
	var s State
	for i := 0; now < time.Hour; i++ {
		dt := period + time.Duration(i%7-3)*time.Millisecond
		vl := 600 * math.Sin(float64(i)/97)
		vr := 700 * math.Sin(float64(i)/89)
		left, right := r.move(vl, vr, dt)
		if now += dt; i%13 == 5 {
			continue // lost
		}
		var e Event
		if s, e = o.Update(left, right, now-last); e != EventNone {
			t.Fatalf("%v: event %v", now, e)
		}
		last = now
	}
	// The counters are whole steps; their rounding walks the heading by about 1 mrad over the hour, not more.
	if off := math.Hypot(s.X-r.x, s.Y-r.y); off > 0.05 || angleBetween(s.Theta, r.theta) > 0.01 {
		t.Errorf("off by %v m and %v rad after %v m", off, angleBetween(s.Theta, r.theta), s.Distance)
	}
	if want := r.steps[1] * 2 * math.Pi / 1000; math.Abs(s.Right.Angle-want) > 0.01 || s.Distance < 100 {
		t.Errorf("right wheel at %v, want %v; distance %v", s.Right.Angle, want, s.Distance)
	}
}

func TestAllocates(t *testing.T) {
	o := start(t, Config{}, 0, 0)
	var m [36]float64
	if n := testing.AllocsPerRun(100, func() {
		s, _ := drive(o, 50, -50)
		s.PutPoseCovariance(&m)
		s.PutTwistCovariance(&m)
	}); n != 0 {
		t.Errorf("%v allocations per reading", n)
	}
}

func BenchmarkUpdate(b *testing.B) {
	o := start(b, Config{}, 0, 0)
	b.ReportAllocs()
	for b.Loop() {
		drive(o, 40, 30)
	}
}
