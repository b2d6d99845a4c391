// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ErrData is matched by errors about unusable measurements.
var ErrData = errors.New("imu: bad data")

// gravity is the standard acceleration of free fall, m/s².
const gravity = 9.80665

// Vec is a vector in the robot's axes: x forward, y left, z up.
type Vec [3]float64

// Matrix is a 3×3 matrix, row by row.
type Matrix [9]float64

// identity returns the identity matrix.
func identity() Matrix { return Matrix{1, 0, 0, 0, 1, 0, 0, 0, 1} }

// Correction is a linear correction of a sensor's measurements: Matrix·(v − Bias).
type Correction struct {
	Bias   Vec
	Matrix Matrix
}

// None returns the correction that changes nothing.
func None() Correction { return Correction{Matrix: identity()} }

// Apply corrects a measurement.
func (c Correction) Apply(v Vec) (out Vec) {
	for i := range 3 {
		for j := range 3 {
			out[i] += c.Matrix[3*i+j] * (v[j] - c.Bias[j])
		}
	}
	return out
}

// Undo returns the raw measurement for a corrected one. The error matches [ErrData] if the matrix can't be inverted.
func (c Correction) Undo(v Vec) (Vec, error) {
	m, err := c.Matrix.inverse()
	if err != nil {
		return Vec{}, err
	}
	out := m.times(v)
	for i := range 3 {
		out[i] += c.Bias[i]
	}
	return out, nil
}

func (m Matrix) times(v Vec) (out Vec) {
	for i := range 3 {
		for j := range 3 {
			out[i] += m[3*i+j] * v[j]
		}
	}
	return out
}

// Norm returns the length of a vector.
func (v Vec) Norm() float64 { return math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]) }

func (m Matrix) inverse() (Matrix, error) {
	var inv mat.Dense
	if err := inv.Inverse(mat.NewDense(3, 3, m[:])); err != nil {
		return m, fmt.Errorf("%w: the matrix can't be inverted: %v", ErrData, m)
	}
	var out Matrix
	for i := range out {
		if out[i] = inv.At(i/3, i%3); math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return m, fmt.Errorf("%w: the matrix can't be inverted: %v", ErrData, m)
		}
	}
	return out, nil
}
