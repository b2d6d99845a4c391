// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// maxSteps is the maximum motor speed, steps/s, to which the firmware clips commands (motors.h).
const maxSteps = robot.MaxSteps

// Wheels is the geometry and the limits of the differential drive.
type Wheels struct {
	// Radius of a wheel, the mean of both, and Distance between the wheels' contact points, in metres.
	Radius, Distance float64
	// Ratio is the right wheel's radius over the left wheel's. 0 means 1.
	Ratio float64
	// Covariance is that of the relative errors of left radius, right radius and distance, row-major; Slip and Turn are
	// the standard deviations of a wheel's path after 1 m and of a turn after 1 rad, m and rad (see package odometry).
	Covariance [9]float64
	Slip, Turn float64
	// MaxSpeed is the maximum angular speed of a wheel, rad/s.
	MaxSpeed float64
	// SpeedUnit is the turn of a wheel per motor step in commands, rad.
	SpeedUnit float64
}

// speeds returns the angular speeds of the left and the right wheel in rad/s for a forward speed v in m/s and a turn
// rate omega in rad/s (counterclockwise positive). If one wheel would exceed the limit, both are scaled by the same
// factor, which keeps the curvature of the path. The result is finite for every finite v and omega.
func (w Wheels) speeds(v, omega float64) (left, right float64) {
	half := omega * w.Distance / 2
	if m := max(math.Abs(v), math.Abs(half)); m > 1000 {
		v, half = v/m, half/m // far beyond the limit either way, and nothing below can overflow
	}
	ratio := w.Ratio
	if ratio == 0 {
		ratio = 1
	}
	radius := 2 * w.Radius / (1 + ratio) // of the left wheel
	return w.limited((v-half)/radius, (v+half)/(radius*ratio))
}

// Scale returns the factor, 1 or less, by which Speeds scales both wheels for a forward speed in m/s and a turn rate in
// rad/s.
func (w Wheels) Scale(v, omega float64) float64 {
	half := float64(omega * w.Distance / 2)
	ratio := w.Ratio
	if ratio == 0 {
		ratio = 1
	}
	radius := 2 * w.Radius / (1 + ratio) // of the left wheel
	return w.JointScale((v-half)/radius, (v+half)/(radius*ratio))
}

// JointScale returns the factor, 1 or less, by which JointSteps scales the speeds of both wheels in rad/s.
func (w Wheels) JointScale(left, right float64) float64 {
	if m := max(math.Abs(left), math.Abs(right)); m > w.limit() {
		return w.limit() / m
	}
	return 1
}

// limit returns the maximum angular speed that is sent to a wheel, rad/s.
func (w Wheels) limit() float64 { return min(w.MaxSpeed, maxSteps*w.SpeedUnit) }

// limited scales the speeds of both wheels, rad/s, by the same factor if one exceeds the limit.
func (w Wheels) limited(left, right float64) (float64, float64) {
	limit := w.limit()
	if m := max(math.Abs(left), math.Abs(right)); m > limit {
		left, right = left/m*limit, right/m*limit
	}
	return left, right
}

// JointSteps converts finite speeds of the left and the right wheel in rad/s to motor steps/s, both scaled by the same
// factor if one exceeds the limit.
func (w Wheels) JointSteps(left, right float64) (leftSteps, rightSteps int16) {
	left, right = w.limited(left, right)
	return w.steps(left), w.steps(right)
}

// Steps returns the wheel speeds for a forward speed v in m/s and a turn rate omega in rad/s, in motor steps/s, rounded
// to the nearest and within ±maxSteps.
func (w Wheels) Steps(v, omega float64) (left, right int16) {
	l, r := w.speeds(v, omega)
	return w.steps(l), w.steps(r)
}

// Odometry returns the odometer's configuration for these wheels.
func (w Wheels) Odometry() odometry.Config {
	return odometry.Config{
		WheelRadius: w.Radius, RadiusRatio: w.Ratio, WheelDistance: w.Distance,
		Covariance: w.Covariance, SlipStd: w.Slip, TurnStd: w.Turn,
	}
}

func (w Wheels) steps(speed float64) int16 {
	return int16(max(-maxSteps, min(maxSteps, math.Round(speed/w.SpeedUnit))))
}
