// SPDX-License-Identifier: Apache-2.0

package description

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Pose is where a frame is in another: first the rotation, then the translation. The zero value is the frame itself.
type Pose struct {
	Position r3.Vec      // metres
	Rotation quat.Number // a unit quaternion; zero is none
}

// FromRPY makes a pose of a position, metres, and rotations about the fixed axes x, y and z in this order, radians: the
// form of URDF and SDF.
func FromRPY(position r3.Vec, roll, pitch, yaw float64) Pose {
	turn := mul(about(r3.Vec{Z: 1}, yaw), mul(about(r3.Vec{Y: 1}, pitch), about(r3.Vec{X: 1}, roll)))
	return Pose{Position: position, Rotation: turn}
}

// FromAxis makes a pose of a position, metres, and a rotation about an axis, radians: the form of PROTO. An axis of
// length 0 is no rotation.
func FromAxis(position, axis r3.Vec, angle float64) Pose {
	n := norm(axis)
	if n == 0 {
		return Pose{Position: position}
	}
	return Pose{Position: position, Rotation: about(r3.Vec{X: axis.X / n, Y: axis.Y / n, Z: axis.Z / n}, angle)}
}

// FromQuaternion makes a rotation of a quaternion, in the order of ROS and SDF. Its length has no effect, as in
// libsdformat and urdfdom. The error matches [ErrValue] if it is 0 or not finite.
func FromQuaternion(x, y, z, w float64) (Pose, error) {
	n := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z) + float64(w*w))
	if !(n > 0) || math.IsInf(n, 0) {
		return Pose{}, fmt.Errorf("%w: a quaternion of length %g", ErrValue, n)
	}
	return Pose{Rotation: quat.Number{Real: w / n, Imag: x / n, Jmag: y / n, Kmag: z / n}}, nil
}

// turn is the rotation, that of the zero value too.
func (p Pose) turn() quat.Number {
	if p.Rotation == (quat.Number{}) {
		return quat.Number{Real: 1}
	}
	return p.Rotation
}

// Apply gives a point of the frame in the other one, metres.
func (p Pose) Apply(v r3.Vec) r3.Vec {
	v = rotate(p.turn(), v)
	return r3.Vec{X: p.Position.X + v.X, Y: p.Position.Y + v.Y, Z: p.Position.Z + v.Z}
}

// Then gives where a frame is whose pose in this one is next.
func (p Pose) Then(next Pose) Pose {
	return Pose{Position: p.Apply(next.Position), Rotation: unit(mul(p.turn(), next.turn()))}
}

// Inverse gives where the other frame is in this one.
func (p Pose) Inverse() Pose {
	back := conj(p.turn())
	return Pose{Position: rotate(back, r3.Vec{X: -p.Position.X, Y: -p.Position.Y, Z: -p.Position.Z}), Rotation: back}
}

// RPY gives the rotations about the fixed axes x, y and z, radians: roll and yaw in (−π, π], pitch in [−π/2, π/2].
// Where the pitch is a quarter of a turn, roll and yaw turn about the same line: the roll is 0 then.
func (p Pose) RPY() (roll, pitch, yaw float64) {
	q := p.turn()
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	product := func(a, b float64) float64 { return float64(a * b) }
	sine := float64(2 * (product(w, y) - product(z, x)))
	ahead := 1 - float64(2*(product(y, y)+product(z, z))) // of the turned x axis
	left := float64(2 * (product(w, z) + product(x, y)))
	cosine := math.Sqrt(product(ahead, ahead) + product(left, left))
	if cosine < 1e-9 {
		sign := math.Copysign(1, sine)
		return 0, sign * math.Pi / 2, wrap(float64(-sign * 2 * bearing(x, w)))
	}
	roll = bearing(float64(2*(product(w, x)+product(y, z))), 1-float64(2*(product(x, x)+product(y, y))))
	return roll, bearing(sine, cosine), bearing(left, ahead)
}

// Near reports whether two poses are the same up to lengths and angles that small, metres and radians.
func (p Pose) Near(other Pose, length, angle float64) bool {
	a, b := p.Position, other.Position
	if apart := (r3.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z}); norm(apart) > length {
		return false
	}
	d := mul(conj(p.turn()), other.turn())
	return float64(2*bearing(norm(r3.Vec{X: d.Imag, Y: d.Jmag, Z: d.Kmag}), math.Abs(d.Real))) <= angle
}

// wrap brings an angle of up to two turns into (−π, π].
func wrap(angle float64) float64 {
	switch {
	case angle > math.Pi:
		return angle - 2*math.Pi
	case angle <= -math.Pi:
		return angle + 2*math.Pi
	}
	return angle
}
