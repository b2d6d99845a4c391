// SPDX-License-Identifier: Apache-2.0

// Package geom implements the plane geometry of the simulated world: vectors, angles, discs, oriented boxes and
// enclosures, their intersection with rays, and the position of a circle after it has been pushed out of them.
//
// Lengths are metres, angles radians, x points forward or east and y left or
// north (REP 103).
//
// The results are the same bits on every processor. IEEE 754 promises that for
// single operations, but the Go compiler may fuse a product with the sum that
// follows it (it does on arm64 and on amd64 from GOAMD64=v3 on), and the
// functions of package math come in several versions. Every product here is
// therefore rounded by an explicit conversion, which the language specification
// says prevents fusing, and sine and cosine are computed by this package.
package geom

import "math"

// Vec is a point or a direction in the plane, metres.
type Vec struct {
	X, Y float64
}

// Add returns a + b.
func (a Vec) Add(b Vec) Vec { return Vec{a.X + b.X, a.Y + b.Y} }

// Sub returns a − b.
func (a Vec) Sub(b Vec) Vec { return Vec{a.X - b.X, a.Y - b.Y} }

// Scale returns k·a.
func (a Vec) Scale(k float64) Vec { return Vec{float64(a.X * k), float64(a.Y * k)} }

// Dot returns the scalar product, m².
func (a Vec) Dot(b Vec) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) }

// Norm returns the length of a, metres. It does not guard against overflow:
// coordinates of a world are far below 1e150.
func (a Vec) Norm() float64 { return math.Sqrt(a.Dot(a)) }

// Rotate returns a turned by the angle whose cosine and sine make up r.
func (a Vec) Rotate(r Vec) Vec {
	return Vec{
		float64(a.X*r.X) - float64(a.Y*r.Y),
		float64(a.X*r.Y) + float64(a.Y*r.X),
	}
}

// Unrotate returns a turned by the opposite of the angle in r.
func (a Vec) Unrotate(r Vec) Vec {
	return Vec{
		float64(a.X*r.X) + float64(a.Y*r.Y),
		float64(a.Y*r.X) - float64(a.X*r.Y),
	}
}

// Pose is a position and a heading in the plane.
type Pose struct {
	// X and Y are the position, metres.
	X, Y float64
	// Theta is the heading, radians, anticlockwise from the x axis, in (−π, π].
	Theta float64
}

// Position returns the position of p.
func (p Pose) Position() Vec { return Vec{p.X, p.Y} }

// Transform returns the world coordinates of a point given in the frame of p.
func (p Pose) Transform(v Vec) Vec {
	return p.Position().Add(v.Rotate(Direction(p.Theta)))
}
