// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"fmt"
	"math"
)

// Turn is a rotation about the robot's z axis.
type Turn struct {
	Angle    float64 // rad, anticlockwise, by wheel odometry
	Integral Vec     // of the measured rotation rate, rad
	Duration float64 // s
}

// GyroResult is the result of [Gyroscope].
type GyroResult struct {
	Correction Correction // its bias is the residual bias, rad/s
	BiasSigma  Vec        // rad/s
	ScaleSigma float64    // of the z axis, dimensionless
	// Before and After are the root mean square errors of the turns without and with the correction, as shares of
	// their angles. Measurements at rest (angle 0) are left out.
	Before, After float64
}

// Gyroscope estimates the bias of each axis, the scale of the z axis and the misalignment of the other two axes from
// turns in both directions. A robot on wheels can't determine the scales of the other axes, which stay 1. The error
// matches [ErrData].
func Gyroscope(turns []Turn) (*GyroResult, error) {
	var aa, at, tt float64
	var ai, ti Vec
	left, right := false, false
	for _, t := range turns {
		if !(t.Duration > 0) || math.IsNaN(t.Angle) || math.IsNaN(t.Integral.Norm()) {
			return nil, fmt.Errorf("%w: turn %+v", ErrData, t)
		}
		left, right = left || t.Angle > 1, right || t.Angle < -1
		aa, at, tt = aa+t.Angle*t.Angle, at+t.Angle*t.Duration, tt+t.Duration*t.Duration
		for i := range 3 {
			ai[i] += t.Angle * t.Integral[i]
			ti[i] += t.Duration * t.Integral[i]
		}
	}
	if len(turns) < 3 || !left || !right {
		return nil, fmt.Errorf("%w: %d turns; at least three are needed, and some each way", ErrData, len(turns))
	}
	det := aa*tt - at*at
	var m, b Vec
	for i := range 3 {
		m[i], b[i] = (tt*ai[i]-at*ti[i])/det, (aa*ti[i]-at*ai[i])/det
	}
	if !(m[2] > 0.5 && m[2] < 2) {
		return nil, fmt.Errorf("%w: the gyroscope measures %.2f of each turn", ErrData, m[2])
	}
	inv, err := Matrix{1, 0, m[0], 0, 1, m[1], 0, 0, m[2]}.inverse()
	if err != nil {
		return nil, err
	}
	res := &GyroResult{Correction: Correction{b, inv}}
	var ssr Vec
	turned := 0.0
	for _, t := range turns {
		for i := range 3 {
			d := t.Integral[i] - m[i]*t.Angle - b[i]*t.Duration
			ssr[i] += d * d
		}
		if t.Angle != 0 {
			turned++
			res.Before += sq(t.Integral[2]/t.Angle - 1)
			res.After += sq((t.Integral[2]-b[2]*t.Duration)/m[2]/t.Angle - 1)
		}
	}
	for i := range 3 {
		res.BiasSigma[i] = math.Sqrt(ssr[i] / float64(len(turns)-2) * aa / det)
	}
	res.ScaleSigma = math.Sqrt(ssr[2]/float64(len(turns)-2)*tt/det) / m[2]
	res.Before, res.After = math.Sqrt(res.Before/turned), math.Sqrt(res.After/turned)
	return res, nil
}

func sq(v float64) float64 { return v * v }
