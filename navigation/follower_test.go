// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// unicycle follows its commands exactly.
type unicycle struct{ Pose }

const step = 0.05 // s

func (r *unicycle) move(v, omega float64) {
	r.Theta += omega * step / 2
	s, c := math.Sincos(r.Theta)
	r.X, r.Y = r.X+v*step*c, r.Y+v*step*s
	r.Theta = math.Remainder(r.Theta+omega*step/2, 2*math.Pi)
}

// drive runs a follower to its end and gives the seconds it took.
func drive(t interface{ Fatalf(string, ...any) }, f *Follower, r *unicycle) float64 {
	for n := range 20_000 {
		v, omega, done := f.Step(r.Pose)
		if done {
			if v != 0 || omega != 0 {
				t.Fatalf("done at %v m/s, %v rad/s", v, omega)
			}
			return float64(n) * step
		}
		if math.Abs(v) > f.limits.Speed || math.Abs(omega) > f.limits.Turn {
			t.Fatalf("%v m/s, %v rad/s", v, omega)
		}
		r.move(v, omega)
	}
	t.Fatalf("not there after %v s: %+v, %d goals reached", 20_000*step, r.Pose, f.Reached())
	return 0
}

// From anywhere to anywhere it arrives, as exactly as was asked for, and the path is no longer than necessary.
func TestArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xy, angle := rapid.Float64Range(-1, 1), rapid.Float64Range(-4, 4)
		r := &unicycle{Pose{X: xy.Draw(t, "x"), Y: xy.Draw(t, "y"), Theta: angle.Draw(t, "theta")}}
		g := Goal{xy.Draw(t, "to x"), xy.Draw(t, "to y"), angle.Draw(t, "to theta")}
		far := math.Hypot(g.X-r.X, g.Y-r.Y)
		f, err := NewFollower(Limits{}, g)
		if err != nil {
			t.Fatal(err)
		}
		took := drive(t, f, r)
		if d := math.Hypot(g.X-r.X, g.Y-r.Y); d > 3*0.002 {
			t.Fatalf("%.4f m off", d)
		}
		if d := math.Remainder(g.Theta-r.Theta, 2*math.Pi); math.Abs(d) > 0.011 {
			t.Fatalf("%.4f rad off", d)
		}
		if limit := far/0.05 + 2*math.Pi + 6; took > limit {
			t.Fatalf("%v s for %.2f m, want at most %.1f", took, far, limit)
		}
	})
}

// A path is driven goal by goal; one that is at the same place only turns.
func TestPath(t *testing.T) {
	f, err := NewFollower(Limits{}, Goal{0.1, 0, AnyHeading}, Goal{0.1, 0, math.Pi / 2}, Goal{0.1, 0.1, AnyHeading})
	if err != nil {
		t.Fatal(err)
	}
	r := &unicycle{}
	drive(t, f, r)
	if f.Reached() != 3 || math.Hypot(r.X-0.1, r.Y-0.1) > 0.006 {
		t.Errorf("%d goals, at %+v", f.Reached(), r.Pose)
	}
	if v, omega, done := f.Step(Pose{}); v != 0 || omega != 0 || !done {
		t.Errorf("after the end: %v, %v, %v", v, omega, done)
	}
}

func TestImpossibleGoals(t *testing.T) {
	for _, g := range []Goal{{X: math.NaN()}, {Y: math.Inf(1)}, {Theta: math.Inf(-1)}} {
		if _, err := NewFollower(Limits{}, Goal{}, g); !errors.Is(err, ErrGoal) {
			t.Errorf("%+v: %v", g, err)
		}
	}
}
