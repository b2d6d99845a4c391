// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Sensor is the mounting of one infrared sensor in the robot's frame.
type Sensor struct {
	Position geom.Vec // m
	Heading  float64  // rad, anticlockwise from forward
}

// Sensors returns the mountings of ps0 to ps7, clockwise from the front right.
func Sensors() (all [8]Sensor) {
	for i, s := range robot.Infrared() {
		all[i] = Sensor{geom.Vec{X: s.X, Y: s.Y}, s.Heading}
	}
	return all
}

// RangeFinder returns the mounting of the time-of-flight sensor, at SensorHeight and level.
func RangeFinder() Sensor {
	s := robot.ToF()
	return Sensor{Position: geom.Vec{X: s.X, Y: s.Y}}
}

// GroundSensors returns the places of gs0 to gs2, left, centre and right; they look down.
func GroundSensors() (all [3]geom.Vec) {
	for i, s := range robot.Ground() {
		all[i] = geom.Vec{X: s.X, Y: s.Y}
	}
	return all
}

const (
	// aperture is the full angle of a sensor's cone, rad.
	aperture = robot.InfraredAperture
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

// point is one measured distance of a sensor's response.
type point struct {
	distance float64 // m
	value    float64 // mean reading: counts of the converter with the offset taken off, or m
	noise    float64 // standard deviation / value
}

// curve returns the response of the sensors to a white wall.
func curve() *[10]point {
	c := new([10]point)
	for i, p := range robot.InfraredResponse() {
		c[i] = point{p.Distance, p.Reading, p.Noise}
	}
	return c
}

// maxDistance is how far the sensors see, m.
const maxDistance = robot.InfraredReach

// response returns the mean value (counts) and its standard deviation for an obstacle at a distance (m). Between the
// points of the table both values and relative noise are linear; beyond it the value falls with the last slope.
func response(table *[10]point, d float64) (value, sigma float64) {
	if d >= maxDistance {
		return 0, 0
	}
	return interpolate(table[:], d)
}

// interpolate returns a table's value and its standard deviation at a distance.
// Before the table the first point holds; beyond it the last slope continues with
// the last relative noise.
func interpolate(table []point, d float64) (value, sigma float64) {
	if d <= 0 {
		return table[0].value, float64(table[0].value * table[0].noise)
	}
	i := 1
	for i < len(table)-1 && d > table[i].distance {
		i++
	}
	a, b := table[i-1], table[i]
	u := (d - a.distance) / (b.distance - a.distance)
	value = a.value + float64(u*(b.value-a.value))
	if u > 1 {
		u = 1
	}
	noise := a.noise + float64(u*(b.noise-a.noise))
	return value, float64(value * noise)
}
