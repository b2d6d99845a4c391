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
	offset  [8]float64 // counts, each sensor's own
	delta   [8]noise.Source
	ambient [8]noise.Source
	quiet   bool
	near    vicinity
	facing  heading `checkpoint:"-"`
	// gain is what a sensor's answer is multiplied by, reach how much further it gets; 1 as drawn.
	gain, reach [8]float64
	shapes      []int32 // those near enough to be seen now
	solid       []int32 `checkpoint:"-"` // of these, for one sensor, those that its rays can't miss
	others      Others  // the same of robots
}

// NewEyes returns the sensors of one robot; src gives their offsets and noise.
// Quiet ones keep the offsets and have no noise.
func NewEyes(src noise.Source, quiet bool) *Eyes {
	e := &Eyes{quiet: quiet, near: vicinity{reach: senseReach}}
	for i := range 8 {
		s := src.Stream(uint64(i))
		e.offset[i] = offsetLow + float64(offsetRange*s.Float64(0))
		e.delta[i], e.ambient[i] = s.Stream(1), s.Stream(2)
		e.gain[i], e.reach[i] = 1, 1
	}
	return e
}

// Offset returns the offset of sensor i, counts: what calibration takes off.
func (e *Eyes) Offset(i int) float64 { return e.offset[i] }

// Measure writes what all sensors measure in cycle n of a robot at a pose:
// ambient light and its drop with the LED on, counts. A robot in the air sees no
// obstacles.
func (e *Eyes) Measure(s *Scene, pose geom.Pose, others *Others, inAir bool, n int64, ambient, delta *[8]uint16) {
	facing := e.facing.of(pose.Theta)
	seen := !inAir && e.face(s, pose.Position(), others)
	for i := range 8 {
		at := pose.Position().Add(s.optics.position[i].Rotate(facing))
		irradiance := s.irradiance(at, s.optics.axis[i].Rotate(facing), others)
		value, sigma := 0.0, 0.0
		if seen {
			value, sigma = e.reflected(s, i, at, facing)
		}
		value += e.offset[i]
		light := adcMax * (brightest - irradiance) / (brightest - darkest)
		if !e.quiet {
			light = float64(light * (1 + float64(ambientSigma*e.ambient[i].Normal(uint64(n)))))
			value = e.noisy(i, n, value, sigma)
		}
		ambient[i] = counts(light, adcMax)
		delta[i] = counts(value, float64(ambient[i])) // the reflected reading is not below 0
	}
}

// Reflected writes what all sensors measure in cycle n of a robot at a pose of the light of their own LEDs, less their
// offsets, counts.
func (e *Eyes) Reflected(s *Scene, pose geom.Pose, others *Others, inAir bool, n int64, p *[8]float64) {
	facing := e.facing.of(pose.Theta)
	seen := !inAir && e.face(s, pose.Position(), others)
	for i := range 8 {
		value, sigma := 0.0, 0.0
		if seen {
			value, sigma = e.reflected(s, i, pose.Position().Add(s.optics.position[i].Rotate(facing)), facing)
		}
		if !e.quiet {
			value = e.noisy(i, n, value, sigma)
		}
		p[i] = max(0, min(adcMax, math.Round(value)))
	}
}

// noisy adds the noise of cycle n to the mean answer of sensor i.
func (e *Eyes) noisy(i int, n int64, value, sigma float64) float64 {
	if sigma > 0 {
		value += float64(sigma * e.delta[i].Normal(uint64(2*n)))
	}
	return value + float64(floorSigma*e.delta[i].Normal(uint64(2*n+1)))
}

// face keeps what is near enough to a robot's middle to be seen, and reports whether there is anything.
func (e *Eyes) face(s *Scene, center geom.Vec, others *Others) bool {
	e.shapes, e.others.Discs, e.others.Solids = e.shapes[:0], e.others.Discs[:0], nil
	if others == nil {
		others = &none
	}
	for _, i := range e.near.near(s, center) {
		if _, near := s.shapes[i].Push(center, senseReach); near && s.shapes[i].Height() >= SensorHeight {
			e.shapes = append(e.shapes, i)
		}
	}
	for _, q := range others.Discs {
		if v := q.Sub(center); v.Dot(v) < SenseReach*SenseReach {
			e.others.Discs = append(e.others.Discs, q)
		}
	}
	if s.solidNear(others.Solids, center, senseReach) {
		e.others.Solids = others.Solids
	}
	return len(e.shapes)+len(e.others.Discs)+len(e.others.Solids) > 0
}

// reflected returns the mean answer of sensor i over its cone, and its standard deviation: of the rays, and of posts
// that are thinner than the gaps between them.
func (e *Eyes) reflected(s *Scene, i int, at, facing geom.Vec) (value, sigma float64) {
	rest := 1.0 // of the cone, without posts
	axis := s.optics.axis[i].Rotate(facing)
	e.solid = e.solid[:0]
	for _, n := range e.shapes {
		p, ok := thin(&s.shapes[n], at, axis, aperture/2, rayGap)
		if !ok {
			e.solid = append(e.solid, n)
			continue
		}
		if covered := min(rest, p.cover()); p.distance < maxDistance {
			v, sd := e.answer(s, i, p.sight)
			value, sigma, rest = value+float64(covered*v), sigma+float64(covered*sd), rest-covered
		}
	}
	part := rest / cone
	for k := range cone {
		seen := s.firstHit(e.solid, at, s.optics.ray[i][k].Rotate(facing), &e.others, maxDistance)
		if seen.distance >= maxDistance { // also for a sensor that would reach further: nothing is there
			continue
		}
		v, sd := e.answer(s, i, seen)
		value += float64(part * v)
		sigma += float64(part * sd)
	}
	return float64(value * e.gain[i]), float64(sigma * e.gain[i])
}

// answer is what sensor i makes of what a whole cone of it would see.
func (e *Eyes) answer(s *Scene, i int, seen sight) (value, sigma float64) {
	v, sd := response(s.curve, seen.distance/e.reach[i])
	return float64(v * seen.share), float64(sd * seen.share)
}

// Bright reports whether the light around may shorten what the infrared sensors measure of their own.
func (s *Scene) Bright() bool { return len(s.lights) > 0 || s.ambient > darkest }

// irradiance returns the light on a sensor, W/m².
func (s *Scene) irradiance(at, axis geom.Vec, others *Others) float64 {
	sum := s.ambient
	if others == nil {
		others = &none
	}
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

// shaded reports whether something is in the way from a sensor to a light
// at flat (m) from it, rise (m) higher. The ray climbs, so where it enters a
// thing decides.
func (s *Scene) shaded(at, flat geom.Vec, rise float64, others *Others) bool {
	length := flat.Norm()
	if length == 0 {
		return false
	}
	dir := flat.Scale(1 / length)
	blocks := func(d float64, hit bool, height float64) bool {
		return hit && d < length && SensorHeight+float64(rise*d)/length < height
	}
	if s.lattice.any(at, at.Add(flat), func(i int32) bool {
		d, hit := s.shapes[i].Ray(at, dir)
		return blocks(d, hit, s.shapes[i].Height())
	}) {
		return true
	}
	for _, q := range others.Discs {
		d, hit := geom.RayDisc(at.Sub(q), dir, BodyRadius)
		if blocks(d, hit, BodyHeight) {
			return true
		}
	}
	for _, i := range others.Solids {
		if d, hit := s.solids[i].Ray(at, dir); blocks(d, hit, s.solids[i].Height()) {
			return true
		}
	}
	return false
}

// counts rounds a reading to the converter's range.
func counts(v, limit float64) uint16 {
	return uint16(max(0, min(limit, math.Round(v))))
}
