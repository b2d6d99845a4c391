// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// ScanFrame is the frame that the rays of the scan begin in.
const ScanFrame = "laser_scanner"

// InvalidRay names what a ray holds along which free space up to range_max was not measured (parameter scan_invalid).
//
// +Inf in a LaserScan says "nothing up to range_max" (REP 117), here 1.035 m, and a costmap erases along such a ray.
// Only the time-of-flight sensor sees that far. Of the other rays twelve have no sensor and eight end after 4 cm of
// infrared: +Inf in them would erase, as soon as the robot turns, what the time-of-flight sensor saw. NaN claims
// nothing.
type InvalidRay string

// The values of the parameter scan_invalid.
const (
	// InvalidNaN is the default: a ray without a sensor and one whose infrared sensor sees nothing are NaN; the ray of
	// the time-of-flight sensor is +Inf when it was measured and nothing is there.
	InvalidNaN InvalidRay = "nan"
	// InvalidInf makes all of them +Inf, for programs that can't stand NaN: free space that was not measured.
	InvalidInf InvalidRay = "inf"
	// InvalidZero is what the old driver and the Webots robot publish: 0 in all of them.
	InvalidZero InvalidRay = "zero"
)

// unmeasured is what a ray holds along which nothing was measured.
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

// free is what a ray holds that was measured up to range_max with nothing there.
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

// Fill writes a scan into rays: infrared readings in counts become ranges from the centre of the robot in metres.
//
// A ray whose sensor sees nothing within its 4 cm or was blind, and one without a sensor, are unmeasured. A saturated
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

// PutToF writes the ray of the time-of-flight sensor, whose distance is in metres and ±Inf as REP 117 has it.
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

// length is that of a vector, with the same bits on every processor.
func length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }
