// SPDX-License-Identifier: Apache-2.0

package physics

import "github.com/epuck-ros2/epuck-driver/sim/geom"

// Rub returns how far a body moves that would move by made (m) along what it touches without friction, while its
// wheels roll by step (m): what the obstacle took of the step is the part along its normal, and friction takes up to
// coefficient times that of the part along its surface (TestFrictionAlongAWall). The body slides if the step is farther
// from the normal than the angle of friction, atan(coefficient), and sticks otherwise.
//
// It is quasi-static: the tyres slip on the floor by step less the way really made, and their force is opposite to that
// slip, whatever its size. So the ratio of friction to normal force, the coefficient of a body that slides (Coulomb),
// is that of the parts of the step which friction and the obstacle take (compare Mason, Mechanics of Robotic
// Manipulation, 2001, chapter 7). The result is in proportion to the step, so that both levels move alike. Inertia is
// left out (an e-puck2 at full speed stops within 2 mm by traction alone), and so are the turning of the body against
// the surface, as the wheels fix its heading, and the speed of a robot that it touches.
func Rub(made, step geom.Vec, coefficient float64) geom.Vec {
	lost := step.Sub(made)
	normal := lost.Norm()
	if normal <= touch {
		return made
	}
	n := lost.Scale(1 / normal)
	approach := n.Scale(made.Dot(n)) // the gap before it touched
	along := made.Sub(approach)
	way := along.Norm()
	if way <= float64(coefficient*normal) {
		return approach
	}
	return approach.Add(along.Scale(1 - float64(coefficient*normal)/way))
}
