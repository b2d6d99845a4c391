// SPDX-License-Identifier: Apache-2.0

package rigid_test

import (
	"math"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
)

// TestForceBalance: a robot pushes what its wheels' friction can push, mass·grip·g, and not what needs more; what is
// too heavy for one goes with two, and the robots then drive at their speed.
func TestForceBalance(t *testing.T) {
	const speed, friction = 0.1, 0.3
	limit := grip * robotMass / friction // kg that one robot can just push
	for _, c := range []struct {
		name   string
		mass   float64
		robots int
		goes   bool
	}{
		{"light, one robot", 0.05, 1, true},
		{"just light enough", 0.95 * limit, 1, true},
		{"just too heavy", 1.05 * limit, 1, false},
		{"just too heavy, two robots", 1.05 * limit, 2, true},
		{"too heavy for two", 2.1 * limit, 2, false},
		{"three robots", 2.1 * limit, 3, true},
		{"very heavy", 100, 3, false},
	} {
		b := box(0, 0, 0.1, 0.3, 0, c.mass, friction)
		bodies := []*rigid.Body{b}
		for i := range c.robots {
			y := (float64(i) - float64(c.robots-1)/2) * 0.09
			bodies = append(bodies, robot(-0.05-robotRadius-0.001, y, speed, 0))
		}
		pass(bodies, nil, 0.5)
		before := b.Pose()
		pass(bodies, nil, 5)
		way := b.Pose().X - before.X
		switch {
		case c.goes:
			near(t, c.name+": way", way, 5*speed, 0.01)
		case way != 0:
			t.Errorf("%s: moved by %g m", c.name, way)
		}
	}
}

// TestPushBesideTheMiddleTurns: the box turns away from the side that is pushed, and a push at its middle does not turn
// it.
func TestOffCentrePushTurns(t *testing.T) {
	for y, sign := range map[float64]float64{0: 0, 0.03: -1, -0.03: 1} {
		b := box(0, 0, 0.1, 0.1, 0, 0.1, 0.3)
		pass([]*rigid.Body{b, robot(-0.05-robotRadius-0.001, y, 0.1, 0)}, nil, 0.5)
		if turn := b.Yaw; turn*sign < 0 || sign != 0 && math.Abs(turn) < 0.1 || sign == 0 && math.Abs(turn) > 1e-9 {
			t.Errorf("pushed at %g m: turned by %g rad", y, turn)
		}
	}
}

// TestSlidingStops: what is not pushed comes to rest after v²/(2μg), and stays there without the least movement.
func TestSlidingStops(t *testing.T) {
	const v, friction = 0.5, 0.3
	d := disc(0, 0, 0.02, 0.02, friction)
	d.Velocity = geom.Vec{X: v}
	pass([]*rigid.Body{d}, nil, 1)
	near(t, "way", d.Pose().X, v*v/(2*friction*rigid.Gravity), v*dt)
	if !d.Resting() {
		t.Errorf("it still moves at %v m/s", d.Velocity)
	}
	d.Spin = 10
	at := d.Pose()
	pass([]*rigid.Body{d}, nil, 1)
	if !d.Resting() || d.Pose() == at {
		t.Errorf("turned from %v to %v, at %g rad/s", at, d.Pose(), d.Spin)
	}
}

// TestEnergyFalls: without wheels, kinetic energy never grows but by what opens contacts.
func TestEnergyFalls(t *testing.T) {
	var bodies []*rigid.Body
	for i := range 12 {
		b := box(0.12*float64(i%4)-0.2, 0.12*float64(i/4)-0.15, 0.08, 0.06, 0.3*float64(i), 0.1, 0.1)
		b.Velocity = geom.Vec{X: math.Sin(float64(7 * i)), Y: math.Cos(float64(5 * i))}
		b.Spin = 5 * math.Sin(float64(3*i))
		bodies = append(bodies, b)
	}
	energy := func() (sum float64) {
		for _, b := range bodies {
			r := b.Shape.Reach()
			sum += b.Mass*b.Velocity.Dot(b.Velocity)/2 + b.Mass*r*r/3*b.Spin*b.Spin/2
		}
		return sum
	}
	var s rigid.Solver
	last := energy()
	for range 500 {
		s.Step(bodies, fixtures{geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 0.8, Y: 0.8}, 0.1)}, dt)
		now := energy()
		if now > last+1e-5 {
			t.Fatalf("the energy grew from %g to %g J", last, now)
		}
		last = now
	}
	if last != 0 {
		t.Errorf("%g J after 5 s", last)
	}
}

// TestRowOfBoxes: a robot that pushes a row of four boxes drives as fast as it wants.
func TestRowOfBoxes(t *testing.T) {
	bodies := []*rigid.Body{robot(-0.05-robotRadius-0.001, 0, 0.1, 0)}
	for i := range 4 {
		bodies = append(bodies, box(0.101*float64(i), 0, 0.1, 0.1, 0, 0.03, 0.3))
	}
	pass(bodies, nil, 0.5)
	before := bodies[4].Pose().X
	pass(bodies, nil, 4)
	near(t, "way of the last", bodies[4].Pose().X-before, 0.4, 0.004)
}

// TestWallStopsRobotAndBox: a box between a robot and a wall stays where it is.
func TestWallStopsRobotAndBox(t *testing.T) {
	wall := fixtures{geom.NewWall(geom.Vec{X: 0.2, Y: -1}, geom.Vec{X: 0.2, Y: 1}, 0.01, 0.1)}
	b, r := box(0, 0, 0.1, 0.1, 0, 0.05, 0.3), robot(-0.1, 0, 0.1, 0)
	pass([]*rigid.Body{b, r}, wall, 5)
	near(t, "box", b.Pose().X, 0.195-0.05, 3e-4)
	near(t, "robot", r.Pose().X, 0.195-0.1-robotRadius, 5e-4)
	if at := b.Pose(); true {
		pass([]*rigid.Body{b, r}, wall, 5)
		near(t, "box later", b.Pose().X, at.X, 1e-5)
	}
}

// TestOrderOfBodies: the order in which bodies are given changes what happens by no more than what is left of the
// impulses' error.
func TestOrderOfBodies(t *testing.T) {
	run := func(turned bool) []geom.Pose {
		bodies := []*rigid.Body{
			box(0, 0, 0.1, 0.3, 0, 0.3, 0.3), disc(0.1, 0.05, 0.03, 0.05, 0.3),
			robot(-0.09, 0.1, 0.1, 0), robot(-0.09, -0.1, 0.1, 0), robot(-0.09, 0, 0.08, 0.02),
		}
		all := slices.Clone(bodies)
		if turned {
			slices.Reverse(all)
		}
		pass(all, nil, 2)
		var poses []geom.Pose
		for _, b := range bodies {
			poses = append(poses, b.Pose())
		}
		return poses
	}
	a, b := run(false), run(true)
	for i := range a {
		if d := a[i].Position().Sub(b[i].Position()).Norm(); d > 2e-3 || math.Abs(a[i].Theta-b[i].Theta) > 0.02 {
			t.Errorf("body %d: %+v and in the other order %+v", i, a[i], b[i])
		}
	}
}

// TestStepDoesNotAllocate: with the memory of the first steps.
func TestStepDoesNotAllocate(t *testing.T) {
	bodies := []*rigid.Body{box(0, 0, 0.1, 0.1, 0, 0.05, 0.3), robot(-0.09, 0.02, 0.1, 0), disc(0.1, 0, 0.03, 0.05, 0.3)}
	var walls rigid.Fixed = fixtures{geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 3, Y: 3}, 0.1)}
	var s rigid.Solver
	for range 100 {
		s.Step(bodies, walls, dt)
	}
	if n := testing.AllocsPerRun(100, func() { s.Step(bodies, walls, dt) }); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// TestTurningIsSlowedByTheFloor: a disc and a box that turn on the spot lose speed as the friction of their area says:
// μ·g·m times the mean distance of their points from the middle, over their moment of inertia.
func TestTurningIsSlowedByTheFloor(t *testing.T) {
	const mass, friction, spin = 0.2, 0.25, 20.0
	for name, c := range map[string]struct {
		body           *rigid.Body
		lever, inertia float64
	}{
		"disc": {disc(0, 0, 0.05, mass, friction), 0.05 * 2 / 3, mass * 0.05 * 0.05 / 2},
		// (√2 + ln(1+√2))/6 of a side
		"square": {box(0, 0, 0.1, 0.1, 0, mass, friction), 0.1 * 0.3826, mass * 2 * 0.1 * 0.1 / 12},
		"board":  {box(0, 0, 0.4, 0.001, 0, mass, friction), 0.1, mass * 0.4 * 0.4 / 12},
	} {
		c.body.Spin = spin
		pass([]*rigid.Body{c.body}, nil, 0.05)
		want := spin - friction*rigid.Gravity*mass*c.lever/c.inertia*0.05
		near(t, name, c.body.Spin, want, 0.002*(spin-want))
	}
}

// TestTurningAndSlidingShareTheFriction: a disc that turns fast slides farther than one that does not turn, for the
// floor's force and torque are bounded together.
func TestTurningAndSlidingShareTheFriction(t *testing.T) {
	way := func(spin float64) float64 {
		d := disc(0, 0, 0.05, 0.1, 0.3)
		d.Velocity, d.Spin = geom.Vec{X: 0.3}, spin
		pass([]*rigid.Body{d}, nil, 2)
		return d.Pose().X
	}
	if still, turning := way(0), way(30); turning < 1.2*still {
		t.Errorf("%g m without turning, %g m with it", still, turning)
	}
}

// TestFrictionBetweenBodies: a robot that drives past a plate along its side takes it along by friction, and does
// not without.
func TestFrictionBetweenBodies(t *testing.T) {
	for _, friction := range []float64{0, 0.5} {
		plate := box(0.1, 0.0452, 0.4, 0.02, 0, 0.02, 0.1)
		r := robot(0, 0, 0.08, 0.06)
		plate.Surface, r.Surface = friction, friction
		pass([]*rigid.Body{plate, r}, nil, 0.3)
		along := plate.Pose().X - 0.1
		if friction == 0 && math.Abs(along) > 2e-3 || friction > 0 && along < 5e-3 {
			t.Errorf("with a friction of %g the plate goes along by %g m", friction, along)
		}
	}
}

// TestPlacedBodiesRest: a body that was put somewhere is there, turned as it was said, and does not move.
func TestPlacedBodiesRest(t *testing.T) {
	b := box(0, 0, 0.1, 0.2, 0, 0.1, 0.3)
	b.Velocity, b.Spin = geom.Vec{X: 1}, 2
	want := geom.Pose{X: 1, Y: 2, Theta: 0.5}
	b.Place(want)
	pass([]*rigid.Body{b}, nil, 1)
	if b.Pose() != want || !b.Resting() || math.Abs(b.Shape.Yaw()-0.5) > 1e-12 {
		t.Errorf("%+v, shape turned by %g rad", b.Pose(), b.Shape.Yaw())
	}
}

// TestNothingToDo: a step of nothing does nothing, and a body alone without speed stays where it is.
func TestNothingToDo(t *testing.T) {
	var s rigid.Solver
	s.Step(nil, fixtures{}, dt)
	b := disc(1, 2, 0.03, 0.1, 0.3)
	s.Step([]*rigid.Body{b}, fixtures{}, dt)
	if b.Pose() != (geom.Pose{X: 1, Y: 2}) {
		t.Errorf("%+v", b.Pose())
	}
}
