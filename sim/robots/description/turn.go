// SPDX-License-Identifier: Apache-2.0

package description

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// What follows is in gonum, too, whose products may be fused with the sums behind them on some processors: a robot that
// moves in a simulation would then be elsewhere by the last bit.

// about is the rotation about a unit vector by an angle, rad.
func about(axis r3.Vec, by float64) quat.Number {
	half := halfway(by)
	return quat.Number{Real: half.X, Imag: float64(axis.X * half.Y), Jmag: float64(axis.Y * half.Y), Kmag: float64(axis.Z * half.Y)}
}

// halfway is cosine and sine of half an angle, of any number of turns.
func halfway(by float64) geom.Vec { return geom.Direction(geom.WrapAngle(by) / 2) }

// mul is the rotation b and then a.
func mul(a, b quat.Number) quat.Number {
	return quat.Number{
		Real: float64(a.Real*b.Real) - float64(a.Imag*b.Imag) - float64(a.Jmag*b.Jmag) - float64(a.Kmag*b.Kmag),
		Imag: float64(a.Real*b.Imag) + float64(a.Imag*b.Real) + float64(a.Jmag*b.Kmag) - float64(a.Kmag*b.Jmag),
		Jmag: float64(a.Real*b.Jmag) - float64(a.Imag*b.Kmag) + float64(a.Jmag*b.Real) + float64(a.Kmag*b.Imag),
		Kmag: float64(a.Real*b.Kmag) + float64(a.Imag*b.Jmag) - float64(a.Jmag*b.Imag) + float64(a.Kmag*b.Real),
	}
}

// conj is the rotation back.
func conj(q quat.Number) quat.Number {
	return quat.Number{Real: q.Real, Imag: -q.Imag, Jmag: -q.Jmag, Kmag: -q.Kmag}
}

// unit takes off what rounding has made of a rotation's length.
func unit(q quat.Number) quat.Number {
	n := math.Sqrt(float64(q.Real*q.Real) + float64(q.Imag*q.Imag) + float64(q.Jmag*q.Jmag) + float64(q.Kmag*q.Kmag))
	return quat.Number{Real: q.Real / n, Imag: q.Imag / n, Jmag: q.Jmag / n, Kmag: q.Kmag / n}
}

// rotate turns a vector: v + 2 u × (u × v + w v), with u the rotation's vector and w its scalar.
func rotate(q quat.Number, v r3.Vec) r3.Vec {
	u := r3.Vec{X: q.Imag, Y: q.Jmag, Z: q.Kmag}
	t := cross(u, v)
	t = r3.Vec{X: t.X + float64(q.Real*v.X), Y: t.Y + float64(q.Real*v.Y), Z: t.Z + float64(q.Real*v.Z)}
	t = cross(u, t)
	return r3.Vec{X: v.X + float64(2*t.X), Y: v.Y + float64(2*t.Y), Z: v.Z + float64(2*t.Z)}
}

func cross(a, b r3.Vec) r3.Vec {
	return r3.Vec{
		X: float64(a.Y*b.Z) - float64(a.Z*b.Y),
		Y: float64(a.Z*b.X) - float64(a.X*b.Z),
		Z: float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// scale is k·v.
func scale(k float64, v r3.Vec) r3.Vec {
	return r3.Vec{X: float64(k * v.X), Y: float64(k * v.Y), Z: float64(k * v.Z)}
}

// Unit gives the direction of a vector, of length 1, and its length; of no length it is the vector itself.
func Unit(v r3.Vec) (direction r3.Vec, length float64) {
	if length = norm(v); length > 0 {
		v = r3.Vec{X: v.X / length, Y: v.Y / length, Z: v.Z / length}
	}
	return v, length
}

// norm is a vector's length.
func norm(v r3.Vec) float64 {
	return math.Sqrt(float64(v.X*v.X) + float64(v.Y*v.Y) + float64(v.Z*v.Z))
}

// bearing is the angle whose sine and cosine are as y to x, in (−π, π].
func bearing(y, x float64) float64 { return geom.Angle(geom.Vec{X: x, Y: y}) }
