// SPDX-License-Identifier: Apache-2.0

package odometry

import "math"

// π/2 in two parts (Cody and Waite), so that the reduction by a small multiple of π/2 is exact: the first part has 33
// significant bits.
const (
	halfPiHigh = 1.57079632673412561417e+00
	halfPiLow  = 6.07710050650619224932e-11
)

// Sincos returns the sine and cosine of an angle (rad), accurate to about 1e-16 for a few turns and identical on every
// processor. The results of package math differ where the processor has fused multiply-add, and with them the messages
// of a deterministic run.
func Sincos(theta float64) (sin, cos float64) {
	theta = math.Remainder(theta, 2*math.Pi)
	quarter := math.Round(theta / (math.Pi / 2))
	x := theta - float64(quarter*halfPiHigh)
	x -= float64(quarter * halfPiLow)
	s, c := sinSeries(x), cosSeries(x)
	switch int(quarter) {
	case 1:
		return c, -s
	case -1:
		return -c, s
	case 2, -2:
		return -s, -c
	}
	return s, c
}

// sinSeries is the Taylor series of sine for |x| ≤ π/4. The first omitted term is below 1e-19.
func sinSeries(x float64) float64 {
	y := float64(x * x)
	sum := 0.0
	for n := 17.0; n >= 3; n -= 2 {
		sum = float64(float64(1-sum)*y) / float64(n*(n-1))
	}
	return float64(x * (1 - sum))
}

// cosSeries is the Taylor series of cosine.
func cosSeries(x float64) float64 {
	y := float64(x * x)
	sum := 0.0
	for n := 18.0; n >= 2; n -= 2 {
		sum = float64(float64(1-sum)*y) / float64(n*(n-1))
	}
	return 1 - sum
}
