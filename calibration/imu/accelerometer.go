// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"fmt"
	"math"
)

// Face is the axis of the robot that points up, with its direction.
type Face uint8

// The six positions.
const (
	xUp   Face = iota // nose up
	xDown             // nose down
	yUp               // left side up
	yDown
	zUp   // on its wheels
	zDown // on its head
)

// Faces returns the six positions in the order in which they are measured.
func Faces() []Face { return []Face{zUp, zDown, xUp, xDown, yUp, yDown} }

// String returns a description for users, such as "nose up".
func (f Face) String() string {
	names := [...]string{"nose up", "nose down", "left side up", "right side up", "on its wheels", "on its head"}
	if int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("face %d", uint8(f))
}

// force returns what an ideal accelerometer measures at rest, m/s².
func (f Face) force() (v Vec) {
	v[f/2] = gravity * float64(1-2*int(f%2))
	return v
}

// FaceOf returns the position in which an acceleration is measured; ok is false if it is more than 18° from all six.
func FaceOf(v Vec) (f Face, ok bool) {
	best := 0.0
	for _, g := range Faces() {
		w := g.force()
		if c := (v[0]*w[0] + v[1]*w[1] + v[2]*w[2]) / (gravity * v.Norm()); c > best {
			f, best = g, c
		}
	}
	return f, best > 0.95 // 18°
}

// Mean is the mean of several measurements and the standard deviation of that mean, by axis.
type Mean struct{ Value, Sigma Vec }

// Average returns the mean of measurements at rest; zero if there are none.
func Average(samples []Vec) Mean {
	var m Mean
	if len(samples) == 0 {
		return m
	}
	n := float64(len(samples))
	for _, s := range samples {
		for i := range 3 {
			m.Value[i] += s[i] / n
		}
	}
	for _, s := range samples {
		for i := range 3 {
			m.Sigma[i] += (s[i] - m.Value[i]) * (s[i] - m.Value[i])
		}
	}
	for i := range 3 {
		m.Sigma[i] = math.Sqrt(m.Sigma[i] / max(n-1, 1) / n)
	}
	return m
}

// AccelResult is the result of [Accelerometer].
type AccelResult struct {
	Correction Correction
	// BiasSigma (m/s²) and ScaleSigma (dimensionless) are the standard deviations of the bias of each axis and of the
	// matrix elements of each row.
	BiasSigma, ScaleSigma Vec
	// Before and After are the root mean square errors over the six positions without and with the correction, m/s².
	Before, After float64
}

// Accelerometer estimates bias, scales and axis misalignment from the mean accelerations in all six positions: each
// measured axis is a linear function of the force, fitted by least squares. The error matches [ErrData].
func Accelerometer(positions map[Face]Mean) (*AccelResult, error) {
	for _, f := range Faces() {
		m, ok := positions[f]
		if !ok {
			return nil, fmt.Errorf("%w: the position %q is missing", ErrData, f)
		}
		if at, ok := FaceOf(m.Value); !ok || at != f || math.Abs(m.Value.Norm()-gravity) > 2 {
			return nil, fmt.Errorf("%w: position %q: the acceleration is %.2f m/s²", ErrData, f, m.Value)
		}
	}
	// With forces of ±g along the axes the normal equations are diagonal.
	var m Matrix
	res := &AccelResult{}
	for i := range 3 {
		for j := range 3 {
			up, down := positions[Face(2*j)], positions[Face(2*j+1)]
			m[3*i+j] = (up.Value[i] - down.Value[i]) / (2 * gravity)
		}
		for _, f := range Faces() {
			res.Correction.Bias[i] += positions[f].Value[i] / 6
		}
	}
	inv, err := m.inverse()
	if err != nil {
		return nil, err
	}
	res.Correction.Matrix = inv
	var left, noise Vec
	for _, f := range Faces() {
		p, want := positions[f], f.force()
		got, is := res.Correction.Apply(p.Value), m.times(want)
		for i := range 3 {
			res.Before += (p.Value[i] - want[i]) * (p.Value[i] - want[i]) / 18
			res.After += (got[i] - want[i]) * (got[i] - want[i]) / 18
			d := p.Value[i] - is[i] - res.Correction.Bias[i]
			left[i] += d * d / 2 // 6 equations, 4 unknowns
			noise[i] += p.Sigma[i] * p.Sigma[i] / 6
		}
	}
	for i := range 3 {
		v := math.Sqrt(max(left[i], noise[i]))
		res.BiasSigma[i], res.ScaleSigma[i] = v/math.Sqrt(6), v/(gravity*math.Sqrt2)
	}
	res.Before, res.After = math.Sqrt(res.Before), math.Sqrt(res.After)
	return res, nil
}
