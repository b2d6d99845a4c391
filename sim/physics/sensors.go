// SPDX-License-Identifier: Apache-2.0

package physics

import "github.com/epuck-ros2/epuck-driver/sim/geom"

// Sensor is the mounting of one infrared sensor in the robot's frame.
type Sensor struct {
	Position geom.Vec // m
	Heading  float64  // rad, anticlockwise from forward
}

const degree = 3.14159265358979323846 / 180

// Sensors returns the mountings of ps0 to ps7, clockwise from the front right,
// as Webots documents them for the real robot.
func Sensors() [8]Sensor {
	return [8]Sensor{
		{geom.Vec{X: 0.030, Y: -0.010}, -17.2 * degree},
		{geom.Vec{X: 0.022, Y: -0.025}, -45.9 * degree},
		{geom.Vec{X: 0.000, Y: -0.031}, -90.0 * degree},
		{geom.Vec{X: -0.030, Y: -0.015}, -151.5 * degree},
		{geom.Vec{X: -0.030, Y: 0.015}, 151.2 * degree},
		{geom.Vec{X: 0.000, Y: 0.031}, 90.0 * degree},
		{geom.Vec{X: 0.022, Y: 0.025}, 45.8 * degree},
		{geom.Vec{X: 0.030, Y: 0.010}, 17.1 * degree},
	}
}

// RangeFinder returns the mounting of the time-of-flight sensor, at
// SensorHeight and level (Webots' model).
func RangeFinder() Sensor { return Sensor{Position: geom.Vec{X: 0.034, Y: -0.0018}} }

// GroundSensors returns the places of gs0 to gs2, left, centre and right; they
// look down (Webots' model).
func GroundSensors() [3]geom.Vec {
	return [3]geom.Vec{{X: 0.033, Y: 0.010}, {X: 0.033, Y: 0}, {X: 0.033, Y: -0.010}}
}

const (
	// aperture is the full angle of a sensor's cone, rad (Webots' model).
	aperture = 0.1
	// cone is the number of rays in it.
	cone = 5
	// rayGap is the gap between two of them, in half cones.
	rayGap = 2.0 / (cone - 1)
)

// optics is the fixed geometry of all sensors of a robot as drawn, computed once.
type optics struct {
	position [8]geom.Vec
	axis     [8]geom.Vec
	ray      [8][cone]geom.Vec
}

func newOptics() *optics {
	o := new(optics)
	for i, s := range Sensors() {
		o.position[i] = s.Position
		o.axis[i] = geom.Direction(s.Heading)
		for k := range cone {
			off := float64(aperture * (float64(float64(k)/(cone-1)) - 0.5))
			o.ray[i][k] = geom.Direction(s.Heading + off)
		}
	}
	return o
}
