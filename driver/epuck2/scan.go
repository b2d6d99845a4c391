// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// ScanFrame is the frame of the rays' origin; the first ray is at ScanFirstDegree, the others ScanStepDegree apart.
const ScanFrame = "laser_scanner"

// InvalidRay is the value of a ray along which free space up to range_max was not measured (parameter scan_invalid).
//
// +Inf in a LaserScan means "nothing up to range_max" (REP 117), here 1.035 m, and a costmap clears along such a ray.
// Only the time-of-flight sensor has that range. Of the other rays twelve have no sensor and eight end after 4 cm of
// infrared: +Inf in them would clear, as soon as the robot turns, the obstacles that the time-of-flight sensor
// observed. NaN is neutral.
type InvalidRay string

// The values of the parameter scan_invalid.
const (
	// InvalidNaN is the default: rays without a sensor and those whose infrared sensor detects nothing are NaN; the ray
	// of the time-of-flight sensor is +Inf when it was measured and detects nothing.
	InvalidNaN InvalidRay = "nan"
	// InvalidInf makes all of them +Inf, for programs that do not support NaN: they claim unmeasured free space.
	InvalidInf InvalidRay = "inf"
	// InvalidZero makes all of them 0, as the old driver and the Webots robot publish.
	InvalidZero InvalidRay = "zero"
)

// unmeasured returns the value of a ray along which nothing was measured.
func (i InvalidRay) unmeasured() float32 {
	switch i {
	case InvalidInf:
		return float32(math.Inf(1))
	case InvalidZero:
		return 0
	default:
		return float32(math.NaN())
	}
}

// free returns the value of a ray that was measured up to range_max without an object.
func (i InvalidRay) free() float32 {
	if i == InvalidZero {
		return 0
	}
	return float32(math.Inf(1))
}

// ScanLayout maps each infrared sensor to its ray and to its distance from the robot's centre in metres.
type ScanLayout [8]struct {
	ray    int
	radius float64
}

// NewScanLayout returns the rays of a robot.
func NewScanLayout() ScanLayout {
	var l ScanLayout
	rays := robot.InfraredRays()
	for i, m := range robot.Infrared() {
		l[i].ray, l[i].radius = rays[i], length(m.X, m.Y)
	}
	return l
}

// Fill writes a scan into rays: infrared readings in counts become ranges from the robot's centre in metres.
//
// A ray without a sensor, and one whose sensor detects nothing within its 4 cm or was blind, is unmeasured. A saturated
// sensor is −Inf (REP 117), except with InvalidZero, whose consumers know no infinities: there it is the nearest range.
func (l *ScanLayout) Fill(rays *[robot.ScanRays]float32, s *mcu.Sensors, curves *[8]InfraredCurve, invalid InvalidRay) {
	none := invalid.unmeasured()
	for i := range rays {
		rays[i] = none
	}
	for i := range l {
		r := InfraredRange(i, s, &curves[i])
		switch {
		case math.IsInf(r, 1), math.IsNaN(r):
			continue
		case math.IsInf(r, -1) && invalid == InvalidZero:
			r = robot.MinInfraredRange
		}
		rays[l[i].ray] = float32(r + l[i].radius)
	}
}

// PutToF writes the ray of the time-of-flight sensor. The distance is in metres, ±Inf as in REP 117.
func PutToF(rays *[robot.ScanRays]float32, distance float64, invalid InvalidRay) {
	r := ToFRange(distance)
	switch {
	case math.IsInf(r, 1):
		r = float64(invalid.free())
	case math.IsInf(r, -1) && invalid == InvalidZero:
		r = robot.MinScanRange
	case !math.IsInf(r, -1):
		r += length(robot.ToF().X, robot.ToF().Y)
	}
	rays[robot.ToFRay] = float32(r)
}

// length returns the length of a vector, with the same bits on every processor.
func length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }
