// SPDX-License-Identifier: Apache-2.0

// Package axes rotates vectors from the axes of a mounted chip to those of the robot: x forward, y left, z up (REP
// 103).
package axes

import (
	"errors"
	"fmt"
	"math"
)

// ErrRotation is matched by a matrix that is not a rotation: not orthogonal, or a reflection.
var ErrRotation = errors.New("axes: not a rotation matrix")

// Rotation rotates vectors from the chip's axes to the robot's: row i is the robot's axis i in the chip's axes.
type Rotation [3][3]float64

// Identity is the rotation of a chip whose axes are the robot's.
func Identity() Rotation { return Rotation{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} }

// RotationOf returns the rotation with 9 numbers, row by row, as in a ROS parameter. It fails with [ErrRotation].
func RotationOf(rows []float64) (Rotation, error) {
	if len(rows) != 9 {
		return Rotation{}, fmt.Errorf("%w: %d numbers, want 9", ErrRotation, len(rows))
	}
	var r Rotation
	for i, v := range rows {
		r[i/3][i%3] = v
	}
	if err := r.Check(); err != nil {
		return Rotation{}, err
	}
	return r, nil
}

// slack is how far a product of rows may be from 0 or 1: numbers with three digits are accepted.
const slack = 2e-3

// Check fails with [ErrRotation] unless the rows are of length 1, at right angles and right-handed.
func (r Rotation) Check() error {
	for i := range 3 {
		for j := range 3 {
			want := 0.0
			if i == j {
				want = 1
			}
			dot := float64(r[i][0]*r[j][0]) + float64(r[i][1]*r[j][1]) + float64(r[i][2]*r[j][2])
			if !(math.Abs(dot-want) <= slack) {
				return fmt.Errorf("%w: the product of rows %d and %d is %.4g, want %g", ErrRotation, i, j, dot, want)
			}
		}
	}
	if d := r.det(); d < 0 {
		return fmt.Errorf("%w: determinant %.3g, a reflection", ErrRotation, d)
	}
	return nil
}

func (r *Rotation) det() float64 {
	minor := func(a, b int) float64 { return float64(r[1][a]*r[2][b]) - float64(r[1][b]*r[2][a]) }
	return float64(r[0][0]*minor(1, 2)) - float64(r[0][1]*minor(0, 2)) + float64(r[0][2]*minor(0, 1))
}

// Apply rotates a vector.
func (r *Rotation) Apply(v [3]float64) [3]float64 {
	var out [3]float64
	for i := range 3 {
		out[i] = float64(r[i][0]*v[0]) + float64(r[i][1]*v[1]) + float64(r[i][2]*v[2])
	}
	return out
}

// Inverse returns the inverse rotation.
func (r *Rotation) Inverse() (back Rotation) {
	for i, row := range r {
		for k, v := range row {
			back[k][i] = v
		}
	}
	return back
}
