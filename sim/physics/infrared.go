// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

const (
	adcMax       = 4095 // 12 bits
	floorSigma   = 1.5  // noise of the converter itself, counts; plausible
	ambientSigma = 0.01 // standard deviation / value of the ambient light
	darkest      = 1.0  // W/m² that read adcMax, Webots' LightSensor
	brightest    = 2.0  // W/m² that read 0
	offsetLow    = 20.0 // least offset of an uncalibrated sensor, counts
	offsetRange  = 50.0
)

// Eyes are the infrared sensors of one robot. They are not safe for concurrent
// use.
type Eyes struct {
	optics  optics
	curve   *[10]point
	offset  [8]float64 // counts, each sensor's own
	delta   [8]noise.Source
	ambient [8]noise.Source
	quiet   bool
	near    vicinity
}

// NewEyes returns the sensors of one robot; src gives their offsets and noise.
// Quiet ones keep the offsets and have no noise.
func NewEyes(src noise.Source, quiet bool) *Eyes {
	e := &Eyes{optics: newOptics(), curve: curve(), quiet: quiet, near: vicinity{reach: senseReach}}
	for i := range 8 {
		s := src.Stream(uint64(i))
		e.offset[i] = offsetLow + float64(offsetRange*s.Float64(0))
		e.delta[i], e.ambient[i] = s.Stream(1), s.Stream(2)
	}
	return e
}

// Offset returns the offset of sensor i, counts: what calibration takes off.
func (e *Eyes) Offset(i int) float64 { return e.offset[i] }

// Measure writes what all sensors measure in cycle n of a robot at a pose:
// ambient light and its drop with the LED on, counts. Others are the middles
// of the other robots. A robot in the air sees no obstacles.
func (e *Eyes) Measure(s *Scene, pose geom.Pose, others []geom.Vec, inAir bool, n int64, ambient, delta *[8]uint16) {
	facing := geom.Direction(pose.Theta)
	for i := range 8 {
		at := pose.Position().Add(e.optics.position[i].Rotate(facing))
		irradiance := s.irradiance(at, e.optics.axis[i].Rotate(facing), others)
		value, sigma := 0.0, 0.0
		if !inAir {
			value, sigma = e.reflected(s, i, at, pose.Position(), facing, others)
		}
		value += e.offset[i]
		light := adcMax * (brightest - irradiance) / (brightest - darkest)
		if !e.quiet {
			light = float64(light * (1 + float64(ambientSigma*e.ambient[i].Normal(uint64(n)))))
			value += float64(sigma * e.delta[i].Normal(uint64(2*n)))
			value += float64(floorSigma * e.delta[i].Normal(uint64(2*n+1)))
		}
		ambient[i] = counts(light, adcMax)
		delta[i] = counts(value, float64(ambient[i])) // the reflected reading is not below 0
	}
}

// reflected returns the mean answer of sensor i over the rays of its cone.
func (e *Eyes) reflected(s *Scene, i int, at, center, facing geom.Vec, others []geom.Vec) (value, sigma float64) {
	near := e.near.near(s, center)
	for k := range cone {
		d := s.distance(near, at, e.optics.ray[i][k].Rotate(facing), others, maxDistance)
		v, sd := response(e.curve, d)
		value += v
		sigma += sd
	}
	return value / cone, sigma / cone
}

// distance returns how far a sensor's ray gets, at most best.
func (s *Scene) distance(near []int, at, dir geom.Vec, others []geom.Vec, best float64) float64 {
	for _, i := range near {
		shape := &s.shapes[i]
		if shape.Height() < SensorHeight {
			continue
		}
		if d, hit := shape.Ray(at, dir); hit && d < best {
			best = d
		}
	}
	for _, q := range others {
		if d, hit := geom.RayDisc(at.Sub(q), dir, BodyRadius); hit && d < best {
			best = d
		}
	}
	return best
}

// irradiance returns the light on a sensor, W/m².
func (s *Scene) irradiance(at, axis geom.Vec, others []geom.Vec) float64 {
	sum := s.ambient
	for i := range s.lights {
		l := &s.lights[i]
		flat, rise := l.Position.Sub(at), l.Height-SensorHeight
		dd := flat.Dot(flat) + float64(rise*rise)
		front := axis.Dot(flat)
		if front <= 0 || s.shaded(at, flat, rise, others) {
			continue
		}
		// cosine = front/d, so I·cosine/d² = I·front/d³
		sum += float64(l.Intensity*front) / float64(dd*math.Sqrt(dd))
	}
	return sum
}

// shaded reports whether something stands in the way from a sensor to a light
// at flat (m) from it, rise (m) higher. The ray climbs, so where it enters a
// thing decides.
func (s *Scene) shaded(at, flat geom.Vec, rise float64, others []geom.Vec) bool {
	length := flat.Norm()
	if length == 0 {
		return false
	}
	dir := flat.Scale(1 / length)
	blocks := func(d float64, hit bool, height float64) bool {
		return hit && d < length && SensorHeight+float64(rise*d)/length < height
	}
	for i := range s.shapes {
		d, hit := s.shapes[i].Ray(at, dir)
		if blocks(d, hit, s.shapes[i].Height()) {
			return true
		}
	}
	for _, q := range others {
		d, hit := geom.RayDisc(at.Sub(q), dir, BodyRadius)
		if blocks(d, hit, BodyHeight) {
			return true
		}
	}
	return false
}

// counts rounds a reading to the converter's range.
func counts(v, limit float64) uint16 {
	return uint16(math.Max(0, math.Min(limit, math.Round(v))))
}
