// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// saturatedInfrared is the reading, in counts of the 12-bit converter, from which an object touches the sensor or
// nearly so.
const saturatedInfrared = 4095

// MaxCurvePoints is the maximum number of points of a response curve.
const MaxCurvePoints = 32

// errCurve is wrapped when points do not form a response curve.
var errCurve = errors.New("epuck2: invalid response curve")

// curvePoint is a point of a response curve: a distance in metres and the reading there in counts.
type curvePoint struct{ distance, counts float64 }

// InfraredCurve is the response curve of an infrared sensor: readings that fall with the distance, linear between its
// points. Make one with [NewInfraredCurve] or [DefaultInfraredCurve].
type InfraredCurve struct {
	points []curvePoint // constant, so that copies share it
}

// DefaultInfraredCurve returns the response curve of an uncalibrated robot. Up to 5 cm it is the table of the Webots
// model and of the old driver; the last two points are from the Webots model.
func DefaultInfraredCurve() (c InfraredCurve) {
	for _, p := range robot.InfraredResponse() {
		c.points = append(c.points, curvePoint{p.Distance, p.Reading})
	}
	return c
}

// NewInfraredCurve returns a curve of 2 to MaxCurvePoints points: rising distances in metres within 0 … 1, and the
// falling readings there in counts within 0 … 65535. The error has the lengths, or the index and value of the first
// invalid element.
func NewInfraredCurve(distances, counts []float64) (c InfraredCurve, err error) {
	n := len(distances)
	if n < 2 || n > MaxCurvePoints || len(counts) != n {
		return c, fmt.Errorf("%w: %d distances and %d readings, want as many, 2 to %d", errCurve, n, len(counts), MaxCurvePoints)
	}
	c.points = make([]curvePoint, n)
	for i, d := range distances {
		if !(d >= 0 && d <= 1) || i > 0 && !(d > distances[i-1]) {
			return InfraredCurve{}, fmt.Errorf("%w: element %d is %v m after %v", errCurve, i, d, distances[:i])
		}
		if v := counts[i]; !(v >= 0 && v <= 65535) || i > 0 && !(v < counts[i-1]) {
			return InfraredCurve{}, fmt.Errorf("%w: the readings do not fall at element %d, %v", errCurve, i, v)
		}
		c.points[i] = curvePoint{d, counts[i]}
	}
	return c, nil
}

// Points returns the curve's distances in metres and the readings there in counts.
func (c *InfraredCurve) Points() (distances, counts []float64) {
	for _, p := range c.points {
		distances, counts = append(distances, p.distance), append(counts, p.counts)
	}
	return distances, counts
}

// Distance returns the distance in metres for a reading in counts. Readings at or above that of the first point result
// in the first distance, those below that of the last point in +Inf.
func (c *InfraredCurve) Distance(counts uint16) float64 {
	if len(c.points) == 0 { // made by neither constructor
		return math.Inf(1)
	}
	v := float64(counts)
	if v >= c.points[0].counts {
		return c.points[0].distance
	}
	for i := 1; i < len(c.points); i++ {
		near, far := c.points[i-1], c.points[i]
		if v >= far.counts {
			return near.distance + float64((near.counts-v)/(near.counts-far.counts)*(far.distance-near.distance))
		}
	}
	return math.Inf(1)
}

// Range returns the range in metres to publish for a reading, by REP 117:
//
//   - nothing within MaxInfraredRange: +Inf;
//   - a measured distance below MinInfraredRange: MinInfraredRange. The curve still detects an object there, and
//     consumers that drop values below range_min would run into it;
//   - saturatedInfrared and more: −Inf, "too close to quantify".
//
// [InfraredRange] returns NaN, REP 117's "erroneous", for a blind sensor.
func (c *InfraredCurve) Range(counts uint16) float64 {
	if counts >= saturatedInfrared {
		return math.Inf(-1)
	}
	d := c.Distance(counts)
	if d > robot.MaxInfraredRange {
		return math.Inf(1)
	}
	return max(d, robot.MinInfraredRange)
}

// InfraredRange returns the range of infrared sensor i to publish, as Range does, or NaN if the sensor was blind:
// sunlight hides its pulse, or the robot sent an impossible value.
func InfraredRange(i int, s *mcu.Sensors, curve *InfraredCurve) float64 {
	if s.Blind(i) {
		return math.NaN()
	}
	return curve.Range(s.Proximity[i])
}
