// SPDX-License-Identifier: Apache-2.0

// Package rigid simulates rigid bodies on a floor that touch each other and fixed obstacles: discs and boxes with
// mass and friction, and robots whose wheels drive them.
//
// A [Solver] finds the velocities of a step by sequential impulses (Catto, Iterative Dynamics with Temporal Coherence,
// Game Developers Conference 2005; Fast and Simple Physics using Sequential Impulses, 2006): contacts with Coulomb
// friction, which may be still open when the step begins, and friction with the floor bounded by an ellipsoid of force
// and torque (Howe and Cutkosky, Practical Force-Motion Models for Sliding Manipulation, International Journal of
// Robotics Research 15 (6), 1996; Lynch and Mason, Stable Pushing: Mechanics, Controllability, and Planning, in the
// same issue). A robot is a body that the floor pulls towards the velocity of its wheels, with no more force than
// their friction. Then the bodies move, each as far as it overlaps nothing: those that do not overlap at the beginning
// do not at the end (TestNothingEverOverlaps).
//
// All quantities are SI units. Results are the same bits on every processor (see package geom); a step allocates
// nothing once its memory is as large as the bodies need (TestStepDoesNotAllocate).
package rigid

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// gravity is the standard acceleration of free fall, m/s².
const gravity = 9.80665

// Body is a rigid body on the floor: a disc or a box, and a robot several of them.
type Body struct {
	// Shape is where it is; Yaw is how far the shape is turned, rad.
	Shape geom.Shape
	Yaw   float64
	// Parts are the further shapes of a robot that consists of several; they move with Shape.
	Parts []geom.Shape
	// Velocity is that of its middle, m/s, Spin its turning speed, rad/s.
	Velocity geom.Vec
	Spin     float64
	// Mass is in kg.
	Mass float64
	// Floor is the coefficient of friction with the floor, Surface that with what it touches: of two that touch, the
	// root of the product counts.
	Floor, Surface float64

	// Wheels is set for a robot: its wheels keep its heading, and the floor pulls it towards Drive, m/s.
	Wheels bool
	Drive  geom.Vec
	// Made is the part of this step's way that it has already gone, m.
	Made geom.Vec

	reach                       float64 // of all shapes around the middle of Shape, m
	inverseMass, inverseInertia float64 // 1/kg, 1/(kg m²)
	lever                       float64 // mean distance of its points from the middle, m
	weighed                     geom.Vec
}

// Resting reports whether the body neither moves nor turns.
func (b *Body) Resting() bool { return b.Velocity == geom.Vec{} && b.Spin == 0 }

// stop sets the velocities to zero.
func (b *Body) stop() { b.Velocity, b.Spin = geom.Vec{}, 0 }

// Place puts the body somewhere else, where it rests.
func (b *Body) Place(p geom.Pose) {
	b.Yaw = geom.WrapAngle(p.Theta)
	b.Shape = b.Shape.Moved(p.Position(), b.Yaw)
	b.stop()
}

// Pose returns where the body is.
func (b *Body) Pose() geom.Pose {
	c := b.Shape.Center()
	return geom.Pose{X: c.X, Y: c.Y, Theta: b.Yaw}
}

// weigh computes what follows from mass and shape; mass is spread evenly over the area.
func (b *Body) weigh() {
	b.reach = b.Shape.Reach()
	for i := range b.Parts {
		b.reach = max(b.reach, b.Parts[i].Center().Sub(b.Shape.Center()).Norm()+b.Parts[i].Reach())
	}
	key := geom.Vec{X: b.Mass, Y: b.Shape.Reach()}
	if b.weighed == key {
		return
	}
	b.weighed = key
	b.inverseMass = 1 / b.Mass
	r := b.Shape.Reach()
	switch {
	case b.Wheels: // they keep it from turning: any lever does
		b.inverseInertia, b.lever = 0, r
	case b.Shape.Kind() == geom.Disc:
		b.inverseInertia = 2 / float64(b.Mass*float64(r*r))
		b.lever = float64(r * 2 / 3)
	default:
		b.inverseInertia = 3 / float64(b.Mass*float64(r*r))
		b.lever = meanDistance(b.Shape.Size())
	}
}

// meanDistance returns the mean distance of a rectangle's points from its middle, m: the middles of 32 by 32 cells of a
// quarter, 1e-4 of it exact.
func meanDistance(size geom.Vec) float64 {
	const cells = 32
	sum := 0.0
	for i := range cells {
		for j := range cells {
			p := geom.Vec{X: float64(size.X * (float64(i) + 0.5)), Y: float64(size.Y * (float64(j) + 0.5))}
			sum += p.Norm()
		}
	}
	return sum / (2 * cells * cells * cells)
}

// step is how far the body moves in dt seconds beyond what it has made, and turns.
func (b *Body) step(dt float64) (way geom.Vec, turn float64) {
	return b.Velocity.Scale(dt).Sub(b.Made), float64(b.Spin * dt)
}

// shape returns shape i: Shape, and then the parts.
func (b *Body) shape(i int) *geom.Shape {
	if i == 0 {
		return &b.Shape
	}
	return &b.Parts[i-1]
}

// inner returns the least radius of a disc that fits into each of the shapes, m.
func (b *Body) inner() float64 {
	least := b.Shape.Inner()
	for i := range b.Parts {
		least = min(least, b.Parts[i].Inner())
	}
	return least
}

// moved returns the shape after a share of a way and a turn.
func (b *Body) moved(way geom.Vec, turn, share float64) geom.Shape {
	at := b.Shape.Center().Add(way.Scale(share))
	if turn == 0 {
		s := b.Shape
		s.MoveTo(at)
		return s
	}
	return b.Shape.Moved(at, geom.WrapAngle(b.Yaw+float64(turn*share)))
}

// slow is the speed (m/s) below which a body comes to rest.
const slow = 1e-5

// settle stops a body that has all but stopped.
func (b *Body) settle() {
	if b.Velocity.Dot(b.Velocity) < slow*slow && math.Abs(float64(b.Spin*b.Shape.Reach())) < slow {
		b.stop()
	}
}
