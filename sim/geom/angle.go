// SPDX-License-Identifier: Apache-2.0

package geom

import "math"

// The circle constant and its quarters, split so that reduction by a small
// multiple of π/2 loses nothing: halfPiHigh has 33 significant bits.
const (
	halfPiHigh = 1.57079632673412561417e+00
	halfPiLow  = 6.07710050650619224932e-11
	twoPi      = 2 * math.Pi
)

// WrapAngle returns theta (radians) in (−π, π]. NaN and infinities give NaN.
func WrapAngle(theta float64) float64 {
	if theta > -math.Pi && theta <= math.Pi {
		return theta
	}
	theta -= float64(twoPi * math.Round(theta/twoPi))
	switch {
	case theta <= -math.Pi:
		theta += twoPi
	case theta > math.Pi:
		theta -= twoPi
	}
	return theta
}

// Direction returns the unit vector (cos θ, sin θ), accurate to about 1e-16
// for |θ| up to a few turns and the same bits on every processor.
func Direction(theta float64) Vec {
	theta = WrapAngle(theta)
	quarter := math.Round(theta / (math.Pi / 2))
	x := theta - float64(quarter*halfPiHigh)
	x -= float64(quarter * halfPiLow)
	s, c := sinSeries(x), cosSeries(x)
	switch int(quarter) {
	case 1:
		return Vec{-s, c}
	case -1:
		return Vec{s, -c}
	case 2, -2:
		return Vec{-c, -s}
	}
	return Vec{c, s}
}

// sinSeries is the Taylor series of sine, for |x| ≤ π/4 (first term left out:
// x¹⁹/19! < 1e-19).
func sinSeries(x float64) float64 {
	y := float64(x * x)
	sum := 0.0
	for n := 17.0; n >= 3; n -= 2 {
		sum = float64(float64(1-sum)*y) / float64(n*(n-1))
	}
	return float64(x * (1 - sum))
}

// cosSeries is the Taylor series of cosine, for |x| ≤ π/4.
func cosSeries(x float64) float64 {
	y := float64(x * x)
	sum := 0.0
	for n := 18.0; n >= 2; n -= 2 {
		sum = float64(float64(1-sum)*y) / float64(n*(n-1))
	}
	return 1 - sum
}

// Angle returns the direction of v in (−π, π], rad, accurate to about 4e-16 and the same bits on every processor; that
// of the zero vector is 0.
func Angle(v Vec) float64 {
	x, y := math.Abs(v.X), math.Abs(v.Y)
	if x == 0 && y == 0 {
		return 0
	}
	var a float64 // of (x, y), in the first quarter
	if y <= x {
		a = arcTangent(y / x)
	} else {
		a = float64(math.Pi/2) - arcTangent(x/y)
	}
	if v.X < 0 {
		a = math.Pi - a
	}
	if v.Y < 0 {
		a = -a
	}
	if a <= -math.Pi {
		return math.Pi
	}
	return a
}

// arcTangent is the Taylor series of the arc tangent, for 0 ≤ t ≤ 1. Halving the angle twice brings t below 0.2.
func arcTangent(t float64) float64 {
	for range 2 {
		t /= 1 + math.Sqrt(1+float64(t*t))
	}
	y := float64(t * t)
	sum := 0.0
	for n := 25.0; n >= 3; n -= 2 {
		sum = float64(y * (1/n - sum))
	}
	return float64(4 * float64(t*(1-sum)))
}
