// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"fmt"
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

// TestFrictionAlongAWall: a robot that drives against a wall slides along it at sin − μ·cos of its speed, and turns into
// it by μ·R·cos/c² of its way for its radius R and half the distance c of its wheels; up to the angle at which friction
// suffices it rolls along the wall instead. At the steps of both levels.
func TestFrictionAlongAWall(t *testing.T) {
	const c, lever = wheelDistance / 2, physics.BodyRadius
	const inertia = 1 + lever*lever/(c*c)
	for _, mu := range []float64{0, 0.1, 0.3, 1} {
		for _, angle := range []float64{-70, -20, 0, 5, 15, 30, 41, 42, 60, 80, 89} {
			for _, halves := range []int64{2, 20} {
				heading := angle * math.Pi / 180
				b := physics.NewBody(geom.Pose{X: 1 - physics.BodyRadius, Theta: heading}, wheelDistance)
				s := rough(arena(), mu)
				b.Move(s, nil, halves, halves)
				way := float64(halves) * physics.HalfStep
				along := way * math.Sin(heading)
				drag := max(-mu*way*math.Cos(heading), min(mu*way*math.Cos(heading), along/inertia))
				what := fmt.Sprintf("μ %g, %g° from the normal, %d half steps: ", mu, angle, halves)
				near(t, what+"way along the wall", b.Pose().Y, along-drag, 1e-12)
				near(t, what+"heading", b.Pose().Theta-heading, -drag*lever/(c*c), 1e-12)
				near(t, what+"place before the wall", b.Pose().X, 1-physics.BodyRadius, 1e-9)
				if mu > 0 {
					near(t, what+"turn for a metre", b.Veer(), (b.Pose().Theta-heading)/way, 1e-6)
				}
			}
		}
	}
}

// TestRobotTurnsIntoAWall: driven on, a robot turns until it faces the wall, the same way in steps of 1 and of 10 half
// steps, and stays there.
func TestRobotTurnsIntoAWall(t *testing.T) {
	var ends [2]geom.Pose
	for i, halves := range []int64{1, 10} {
		b := physics.NewBody(geom.Pose{X: 1 - physics.BodyRadius, Theta: 1.2}, wheelDistance)
		s := rough(arena(), 0.3)
		roll(b, s, int(3000/halves), halves, halves)
		halfway := b.Pose()
		roll(b, s, int(5000/halves), halves, halves)
		ends[i] = b.Pose()
		if !(halfway.Theta > 0 && halfway.Theta < 1) || math.Abs(ends[i].Theta) > 1e-3 {
			t.Errorf("steps of %d: heading %g after 0.19 m, %g after 0.5 m", halves, halfway.Theta, ends[i].Theta)
		}
	}
	near(t, "place by steps", ends[0].Y, ends[1].Y, 5e-4)
}

// TestFrictionBeginsAtContact: what a step makes of the gap before a wall is not friction's.
func TestFrictionBeginsAtContact(t *testing.T) {
	for _, gap := range []float64{0, 0.2, 0.8, 1} {
		step := geom.Vec{X: 1, Y: 0.9} // of which the wall leaves gap in x
		c := physics.Chassis{HalfTrack: 0.5, Friction: 0.3}
		got, spin := c.Slip(step, 0, geom.Vec{X: 1 - gap}, geom.Vec{X: 0.5})
		drag := 0.3 * (1 - gap)
		if want := (geom.Vec{X: gap, Y: 0.9 - drag}); got.Sub(want).Norm() > 1e-15 || math.Abs(spin+drag/0.5) > 1e-15 {
			t.Errorf("gap %g: %v and %g, want %v and %g", gap, got, spin, want, -drag/0.5)
		}
	}
}

// contact is a random contact of a body.
type contact struct {
	chassis        physics.Chassis
	step, lost, at geom.Vec
	turn           float64
}

func drawContact(t *rapid.T) (c contact) {
	num := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
	c.chassis = physics.Chassis{HalfTrack: num("half track", 0.01, 0.2), Friction: num("friction", 0, 2)}
	c.step = geom.Vec{X: num("x", -0.01, 0.01), Y: num("y", -0.01, 0.01)}
	c.turn = num("turn", -0.1, 0.1)
	c.at = geom.Vec{X: num("at x", -0.3, 0.3), Y: num("at y", -0.3, 0.3)}
	n := geom.Direction(num("normal", -3, 3))
	into := c.step.Add(geom.Vec{X: -c.at.Y, Y: c.at.X}.Scale(c.turn)).Dot(n) // of the point of contact
	if into < 0 {
		n, into = n.Scale(-1), -into
	}
	c.lost = n.Scale(into * num("share", 0, 1))
	return c
}

// TestContactAddsNoEnergy: the wheels' slip takes from the movement and never adds to it, and the point of contact does
// not move backwards by more than the obstacle takes.
func TestContactAddsNoEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawContact(t)
		way, spin := c.chassis.Slip(c.step, c.turn, c.lost, c.at)
		lever := c.chassis.HalfTrack * c.chassis.HalfTrack
		before := c.step.Dot(c.step) + lever*c.turn*c.turn
		after := way.Dot(way) + lever*(c.turn+spin)*(c.turn+spin)
		if after > before+1e-12 {
			t.Fatalf("%+v: %v and %g: the square of the movement was %g and is %g", c, way, spin, before, after)
		}
	})
}

// TestContactIsMirrored: the mirror image of a contact has the mirror image of its result.
func TestContactIsMirrored(t *testing.T) {
	flip := func(v geom.Vec) geom.Vec { return geom.Vec{X: v.X, Y: -v.Y} }
	rapid.Check(t, func(t *rapid.T) {
		c := drawContact(t)
		way, spin := c.chassis.Slip(c.step, c.turn, c.lost, c.at)
		mirrored, back := c.chassis.Slip(flip(c.step), -c.turn, flip(c.lost), flip(c.at))
		if flip(mirrored).Sub(way).Norm() > 1e-15 || math.Abs(back+spin) > 1e-12 {
			t.Fatalf("%+v: %v and %g, mirrored %v and %g", c, way, spin, mirrored, back)
		}
	})
}

// TestContactIsInProportion: half a step has half the result.
func TestContactIsInProportion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawContact(t)
		way, spin := c.chassis.Slip(c.step, c.turn, c.lost, c.at)
		half, turn := c.chassis.Slip(c.step.Scale(0.5), c.turn/2, c.lost.Scale(0.5), c.at)
		if c.lost.Norm() > 1e-6 && (half.Scale(2).Sub(way).Norm() > 1e-12 || math.Abs(2*turn-spin) > 1e-10) {
			t.Fatalf("%+v: %v and %g, of half the step %v and %g", c, way, spin, half, turn)
		}
	})
}

// TestPushOffTheAxleTurns: a robot whose front is wide is turned about its axle by what it meets on one side, without
// friction as well, and not by what it meets in the middle.
func TestPushOffTheAxleTurns(t *testing.T) {
	c := physics.Chassis{HalfTrack: 0.05}
	step := geom.Vec{X: 0.001}
	for _, side := range []float64{-0.1, 0, 0.1} {
		way, spin := c.Slip(step, 0, step, geom.Vec{X: 0.1, Y: side})
		share := 1 / (1 + side*side/0.0025) // of the movement that is taken from the axle
		near(t, "way", way.X, 0.001*(1-share), 1e-15)
		near(t, "turn", spin, 0.001*share*side/0.0025, 1e-15)
		near(t, "the point of contact", way.X-(spin*side), 0, 1e-15)
	}
}

// TestFrictionHoldsOnRoundObstacles: a robot that drives against a post or a robot off its middle slides around it
// without friction; with friction it turns towards it and stays, unless it only grazes it.
func TestFrictionHoldsOnRoundObstacles(t *testing.T) {
	sum := 2 * physics.BodyRadius
	for _, c := range []struct {
		angle   float64 // between the heading and the normal at first contact, degrees
		mu      float64
		slipped bool
	}{{10, 0, true}, {10, 0.3, false}, {18, 0.3, false}, {10, 0.1, false}, {60, 0.1, true}, {70, 0.3, true}} {
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
			p := b.Pose()
			if (p.X > 0.35) != c.slipped {
				t.Errorf("%s, %g° with μ %g: at %v, slides: want %v", kind, c.angle, c.mu, p, c.slipped)
			}
			toward := geom.Angle((geom.Vec{X: 0.3, Y: -y}).Sub(p.Position()))
			if !c.slipped && math.Abs(geom.WrapAngle(toward-p.Theta)) > 0.02 || c.mu == 0 && p.Theta != 0 || c.mu > 0 && !(p.Theta < 0) {
				t.Errorf("%s, %g° with μ %g: at %v, the obstacle's direction is %g", kind, c.angle, c.mu, p, toward)
			}
		}
	}
}

// TestFrictionInACorner: a robot driven along a wall towards a corner comes to rest there or before, and drives out
// again.
func TestFrictionInACorner(t *testing.T) {
	for _, angle := range []float64{25, 45, 65, 80} {
		s := rough(arena(), 0.3)
		b := physics.NewBody(geom.Pose{X: 0.94, Y: 0.93, Theta: angle * math.Pi / 180}, wheelDistance)
		roll(b, s, 12000, 2, 2)
		before := b.Pose()
		roll(b, s, 2000, 2, 2)
		if after := b.Pose(); after.Position().Sub(before.Position()).Norm() > 1e-6 || !b.Contact() {
			t.Errorf("%g°: it moves on from %v to %v", angle, before, after)
		}
		if angle == 45 {
			near(t, "x", before.X, 1-physics.BodyRadius, 1e-6)
			near(t, "y", before.Y, 1-physics.BodyRadius, 1e-6)
		}
		roll(b, s, 1000, -2, -2)
		if away := before.Position().Sub(b.Position()).Norm(); b.Contact() || math.Abs(away-2000*physics.HalfStep) > 1e-6 {
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
