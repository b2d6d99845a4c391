// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// rough returns a scene with friction.
func rough(s *physics.Scene, coefficient float64) *physics.Scene {
	s.SetFriction(coefficient)
	return s
}

// TestFrictionAlongAWall: a robot whose heading is so far from a wall's normal moves along the wall at sin − μ·cos of
// its speed beyond the angle of friction, and not at all below, at the steps of both levels.
func TestFrictionAlongAWall(t *testing.T) {
	const full = 2 * math.Pi * 0.02 // a turn of the wheels, m
	for _, mu := range []float64{0, 0.1, 0.3, 1} {
		for _, angle := range []float64{0, 5, 15, 16, 17, 30, 44, 46, 60, 80, 89} {
			for _, halves := range []int64{2, 20} {
				heading := angle * math.Pi / 180
				b := physics.NewBody(geom.Pose{X: 1 - physics.BodyRadius, Theta: heading}, wheelDistance)
				roll(b, rough(arena(), mu), int(2000/halves), halves, halves)
				want := full * max(0, math.Sin(heading)-mu*math.Cos(heading))
				if got := b.Pose().Y; math.Abs(got-want) > 1e-9 {
					t.Errorf("μ %g, %g° from the normal, %d half steps: %.9g m along the wall, want %.9g", mu, angle, halves, got, want)
				}
				if x := b.Pose().X; math.Abs(x-(1-physics.BodyRadius)) > 1e-9 {
					t.Errorf("μ %g, %g°: %g m from the wall", mu, angle, 1-x)
				}
			}
		}
	}
}

// TestFrictionBeginsAtContact: what a step makes of the gap before a wall is not friction's.
func TestFrictionBeginsAtContact(t *testing.T) {
	for _, gap := range []float64{0, 0.2, 0.8, 1} {
		step := geom.Vec{X: 1, Y: 0.2} // of which the wall leaves gap in x
		got := physics.Rub(geom.Vec{X: gap, Y: step.Y}, step, 0.3)
		if want := (geom.Vec{X: gap, Y: max(0, 0.2-0.3*(1-gap))}); got.Sub(want).Norm() > 1e-15 {
			t.Errorf("gap %g: %v, want %v", gap, got, want)
		}
	}
}

// TestFrictionHoldsOnRoundObstacles: a robot that drives against a post or a robot off its middle slides around it
// without friction, and sticks below the angle of friction.
func TestFrictionHoldsOnRoundObstacles(t *testing.T) {
	sum := 2 * physics.BodyRadius
	for _, c := range []struct {
		angle   float64 // between the heading and the normal at first contact, degrees
		mu      float64
		slipped bool
	}{{10, 0, true}, {10, 0.3, false}, {16, 0.3, false}, {18, 0.3, true}, {10, 0.1, true}} {
		y := sum * math.Sin(c.angle*math.Pi/180)
		others := &physics.Others{Discs: []geom.Vec{{X: 0.3, Y: -y}}}
		for _, kind := range []string{"robot", "post"} {
			s, others := rough(open(), c.mu), others
			if kind == "post" {
				s = rough(physics.NewScene([]geom.Shape{geom.NewDisc(others.Discs[0], physics.BodyRadius, 0.1)}, nil, 1), c.mu)
				others = nil
			}
			b := physics.NewBody(geom.Pose{}, wheelDistance)
			for range 6000 {
				b.Move(s, others, 2, 2)
			}
			if p := b.Pose(); (p.X > 0.35) != c.slipped {
				t.Errorf("%s, %g° with μ %g: at %v, slides: want %v", kind, c.angle, c.mu, p, c.slipped)
			}
		}
	}
}

// TestFrictionInACorner: a robot driven along a wall into a corner gets there, stays, and drives out of it.
func TestFrictionInACorner(t *testing.T) {
	for _, angle := range []float64{25, 45, 65} {
		s := rough(arena(), 0.3)
		b := physics.NewBody(geom.Pose{X: 0.9, Y: 0.8, Theta: angle * math.Pi / 180}, wheelDistance)
		roll(b, s, 12000, 2, 2)
		near(t, "x", b.Pose().X, 1-physics.BodyRadius, 1e-6)
		near(t, "y", b.Pose().Y, 1-physics.BodyRadius, 1e-6)
		roll(b, s, 1000, -2, -2)
		if b.Contact() || b.Position().Norm() > 1.3 {
			t.Errorf("%g°: backwards it is at %v", angle, b.Pose())
		}
	}
}

// TestFrictionNeverIntoAnything: with any friction a robot is in nothing, gets no farther than without, and never back.
func TestFrictionNeverIntoAnything(t *testing.T) {
	shapes := []geom.Shape{
		geom.NewBox(geom.Vec{X: 0.3, Y: 0.2}, geom.Vec{X: 0.2, Y: 0.1}, 0.5, 0.1),
		geom.NewDisc(geom.Vec{X: -0.3, Y: 0.3}, 0.1, 0.1),
		geom.NewWall(geom.Vec{X: -0.5, Y: -0.5}, geom.Vec{X: 0.2, Y: -0.3}, 0.01, 0.1),
		geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 1.2, Y: 1.2}, 0.1),
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rough(physics.NewScene(shapes, nil, 1), rapid.Float64Range(0, 2).Draw(t, "friction"))
		others := &physics.Others{Discs: []geom.Vec{{X: 0, Y: 0.45}, {X: 0.1, Y: 0.45}}}
		b := physics.NewBody(geom.Pose{Theta: rapid.Float64Range(-3, 3).Draw(t, "theta")}, wheelDistance)
		for range rapid.IntRange(1, 10).Draw(t, "legs") {
			l := rapid.Int64Range(-30, 30).Draw(t, "left")
			r := rapid.Int64Range(-30, 30).Draw(t, "right")
			for range rapid.IntRange(1, 100).Draw(t, "moves") {
				before := b.Position()
				b.Move(s, others, l, r)
				if !s.Free(b.Position(), others) {
					t.Fatalf("in something at %v", b.Pose())
				}
				if d := b.Position().Sub(before).Norm(); d > 1.5*30*physics.HalfStep {
					t.Fatalf("jumped %v m to %v", d, b.Pose())
				}
			}
		}
	})
}
