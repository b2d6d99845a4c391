// SPDX-License-Identifier: Apache-2.0

package driver

import "math"

// Geometry of the laser scan that is put together from the single range sensors: ScanRays rays from −150° to 150°,
// 15° apart, measured from the centre of the robot.
const (
	ScanRays = 21

	scanFrame       = "laser_scanner"
	scanFirstDegree = -150
	scanStepDegree  = 15

	// MinScanRange and MaxScanRange are range_min and range_max of the scan in metres, constant for the robot: the
	// nearest reading of the innermost infrared sensor, and the time-of-flight sensor's 1 m from where it is mounted.
	MinScanRange = MinInfraredRange + 0.031
	MaxScanRange = 1.035
)

// InvalidRay names what a ray holds that has no measurement (parameter scan_invalid).
type InvalidRay string

// The values of the parameter scan_invalid.
const (
	// InvalidInf is REP 117's way: nothing seen is +Inf, so costmaps may clear along the ray.
	InvalidInf InvalidRay = "inf"
	// InvalidNaN marks rays without a measurement as such; nothing is cleared.
	InvalidNaN InvalidRay = "nan"
	// InvalidZero is what the old driver and the Webots robot publish.
	InvalidZero InvalidRay = "zero"
)

// value is what a ray without a measurement holds.
func (i InvalidRay) value() float32 {
	switch i {
	case InvalidNaN:
		return float32(math.NaN())
	case InvalidZero:
		return 0
	default:
		return float32(math.Inf(1))
	}
}

// scanRay gives the index of the ray at an angle of the scan in degrees.
func scanRay(degrees float64) int {
	return int(math.Round((degrees - scanFirstDegree) / scanStepDegree))
}

// tofMount is where the time-of-flight sensor sits, and the angle of its ray in degrees.
var tofMount = struct{ x, y, ray float64 }{0.034, -0.0018, 0}

// scanLayout maps each infrared sensor to its ray and to its distance from the robot's centre in metres.
type scanLayout [8]struct {
	ray    int
	radius float64
}

func newScanLayout() scanLayout {
	var l scanLayout
	for i, m := range infraredMounts {
		l[i].ray, l[i].radius = scanRay(m.ray), math.Hypot(m.x, m.y)
	}
	return l
}

// fill writes a scan into rays: infrared readings in counts become ranges from the centre of the robot in metres.
//
// A ray whose sensor sees nothing and one without a sensor both hold invalid's value. A saturated sensor is −Inf
// (REP 117), except with InvalidZero, whose consumers know no infinities: there it is the nearest range.
func (l *scanLayout) fill(rays *[ScanRays]float32, counts *[8]uint16, invalid InvalidRay) {
	none := invalid.value()
	for i := range rays {
		rays[i] = none
	}
	for i, c := range counts {
		r := InfraredRange(c)
		switch {
		case math.IsInf(r, 1):
			continue
		case math.IsInf(r, -1) && invalid == InvalidZero:
			r = MinInfraredRange
		}
		rays[l[i].ray] = float32(r + l[i].radius)
	}
}

// putToF writes the ray of the time-of-flight sensor, whose distance is in metres and ±Inf as REP 117 has it.
func putToF(rays *[ScanRays]float32, distance float64, invalid InvalidRay) {
	r := tofRange(distance)
	switch {
	case math.IsInf(r, 1):
		r = float64(invalid.value())
	case math.IsInf(r, -1) && invalid == InvalidZero:
		r = MinScanRange
	case !math.IsInf(r, -1):
		r += math.Hypot(tofMount.x, tofMount.y)
	}
	rays[scanRay(tofMount.ray)] = float32(r)
}
