// SPDX-License-Identifier: Apache-2.0

package driver

import "math"

// MaxSteps is the fastest speed the firmware accepts, in motor steps per second; it clips beyond (firmware motors.h).
const MaxSteps = 1100

// Wheels is the geometry and the limits of the differential drive.
type Wheels struct {
	// Radius of a wheel and Distance between the wheels' contact points, in metres.
	Radius, Distance float64
	// MaxSpeed is the fastest angular speed of a wheel in rad/s.
	MaxSpeed float64
	// SpeedUnit is the turn of a wheel per motor step in radians, as far as commands are concerned.
	SpeedUnit float64
}

// Speeds gives the angular speeds of the left and the right wheel in rad/s for a forward speed v in m/s and a turn rate
// omega in rad/s (counterclockwise positive). If one wheel would exceed the limit, both are scaled by the same factor,
// which keeps the curvature of the path. The result is finite for every finite v and omega.
func (w Wheels) Speeds(v, omega float64) (left, right float64) {
	half := omega * w.Distance / 2
	if m := max(math.Abs(v), math.Abs(half)); m > 1000 {
		v, half = v/m, half/m // far beyond the limit either way, and nothing below can overflow
	}
	left, right = (v-half)/w.Radius, (v+half)/w.Radius
	limit := min(w.MaxSpeed, MaxSteps*w.SpeedUnit)
	if m := max(math.Abs(left), math.Abs(right)); m > limit {
		left, right = left*limit/m, right*limit/m
	}
	return left, right
}

// Steps gives the same speeds in the motors' unit, steps per second, rounded to the nearest and within ±MaxSteps.
func (w Wheels) Steps(v, omega float64) (left, right int16) {
	l, r := w.Speeds(v, omega)
	return w.steps(l), w.steps(r)
}

func (w Wheels) steps(speed float64) int16 {
	return int16(max(-MaxSteps, min(MaxSteps, math.Round(speed/w.SpeedUnit))))
}
