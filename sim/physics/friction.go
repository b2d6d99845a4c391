// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Chassis is a body with two wheels that touches something.
type Chassis struct {
	// HalfTrack is half the distance of the wheels, m.
	HalfTrack float64
	// Friction is the coefficient of friction between the body and what it touches.
	Friction float64
}

// Slip returns how a contact changes the movement of a body in a step. Without the contact the wheels would move the
// middle of the axle by step (m) and turn the body by turn (rad). The obstacle takes lost (m) of the movement of the
// point of contact, which is at a place from the middle of the axle (m). The result is the movement of the middle of
// the axle, m, and by how much the contact turns the body in addition to turn, rad.
//
// It is quasi-static: the wheels slip on the floor, and the force and the torque of the contact are those of the
// slipping tyres. What these can hold is bounded by an ellipsoid of force and torque, whose ratio is half the distance
// of the wheels (Howe and Cutkosky, Practical Force-Motion Models for Sliding Manipulation, International Journal of
// Robotics Research 15 (6), 1996); package rigid has the same for bodies that are pushed. The slip is along the normal of
// the ellipsoid (maximum dissipation), so the equations are those of an inelastic impulse on a body whose radius of
// gyration is that half distance, with Coulomb friction: the point of contact stops along the normal, and across it as
// far as the coefficient of friction times the normal impulse suffices (Mason, Mechanics of Robotic Manipulation, 2001,
// chapters 7 and 8). Below that the body rolls along what it touches, beyond it slides and turns.
//
// The result is in proportion to the step, so that bodies with steps of any length move alike, and mirrored for a
// mirrored step (TestContactIsMirrored). It never adds to the square of the movement, of which that of the turn counts with
// HalfTrack as its lever (TestContactAddsNoEnergy). Inertia is left out (an e-puck2 at full speed stops within 2 mm by
// traction alone), and so is the speed of a robot that it touches, which its own wheels hold.
func (c Chassis) Slip(step geom.Vec, turn float64, lost, at geom.Vec) (way geom.Vec, spin float64) {
	depth := lost.Norm()
	if depth <= touch {
		return step.Sub(lost), 0
	}
	n := lost.Scale(1 / depth) // into the obstacle
	gyration := float64(c.HalfTrack * c.HalfTrack)
	arm := cross(at, n)
	normal := float64(depth*gyration) / (gyration + float64(arm*arm))
	way = step.Sub(n.Scale(normal))
	spin = -float64(normal*arm) / gyration
	t := geom.Vec{X: -n.Y, Y: n.X}
	arm = cross(at, t)
	along := way.Dot(t) + float64((turn+spin)*arm) // of the point of contact
	limit := float64(c.Friction * normal)
	drag := max(-limit, min(limit, float64(along*gyration)/(gyration+float64(arm*arm))))
	return way.Sub(t.Scale(drag)), spin - float64(drag*arm)/gyration
}

// cross returns the third component of the product of two vectors of the plane.
func cross(a, b geom.Vec) float64 { return float64(a.X*b.Y) - float64(a.Y*b.X) }
