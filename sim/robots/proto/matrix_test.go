// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// matrix is a pose as 3 rows of 4: the tests' own reckoning, without quaternions.
type matrix [3][4]float64

var identity = matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}

func shift(x, y, z float64) matrix { return matrix{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}} }

// turn is a rotation about an axis of any length (Rodrigues).
func turn(x, y, z, angle float64) matrix {
	l := math.Sqrt(x*x + y*y + z*z)
	x, y, z = x/l, y/l, z/l
	s, c := math.Sincos(angle)
	k := 1 - c
	return matrix{
		{c + x*x*k, x*y*k - z*s, x*z*k + y*s, 0},
		{y*x*k + z*s, c + y*y*k, y*z*k - x*s, 0},
		{z*x*k - y*s, z*y*k + x*s, c + z*z*k, 0},
	}
}

// times is first b, then a.
func (a matrix) times(b matrix) (m matrix) {
	for i := range 3 {
		for j := range 4 {
			for k := range 3 {
				m[i][j] += a[i][k] * b[k][j]
			}
		}
		m[i][3] += a[i][3]
	}
	return m
}

// chain multiplies.
func chain(all ...matrix) matrix {
	m := identity
	for _, a := range all {
		m = m.times(a)
	}
	return m
}

// same compares a pose with a matrix, by the points at the ends of its axes.
func same(t testing.TB, what string, got description.Pose, want matrix) {
	t.Helper()
	for _, p := range []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}} {
		g := got.Apply(p)
		w := want.times(shift(p.X, p.Y, p.Z))
		if d := r3.Norm(r3.Sub(g, r3.Vec{X: w[0][3], Y: w[1][3], Z: w[2][3]})); !(d < 1e-9) {
			t.Fatalf("%s: the point %v of its frame is at %v, %g from %v", what, p, g, d, w)
		}
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// num writes a number as exactly as can be.
func num(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
