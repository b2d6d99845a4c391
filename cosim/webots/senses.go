// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim"
)

const (
	// rateLimit (rad/s) and rateCounts are the ends of the gyro's lookup table in E-puck.proto.
	rateLimit  = 13.315805
	rateCounts = 100000
	// maxRange is the end of the time-of-flight sensor's table, m, and what it reads beyond it, mm.
	maxRange, beyondReads = 2.0, 2000
)

// senses is what a robot measures at one time, each asked of the world once at the most.
type senses struct {
	c          *sim.Control
	proximity  *[8]float64
	ambient    *[8]float64
	ground     *[3]float64
	distance   *float64
	accel, gyr []float64
}

// near is what the infrared sensors read, counts, less what they read with nothing before them.
func (s *senses) near() *[8]float64 {
	if s.proximity == nil {
		v := s.c.Proximity()
		s.proximity = &v
	}
	return s.proximity
}

// light is what they read without their own light, counts.
func (s *senses) light() *[8]float64 {
	if s.ambient == nil {
		v, _ := s.c.Infrared()
		s.ambient = new([8]float64)
		for i := range v {
			s.ambient[i] = float64(v[i])
		}
	}
	return s.ambient
}

// floor is what the ground sensors read, counts.
func (s *senses) floor() *[3]float64 {
	if s.ground == nil {
		v := s.c.Ground()
		s.ground = &v
	}
	return s.ground
}

// far is what the time-of-flight sensor reads, mm.
func (s *senses) far() float64 {
	if s.distance == nil {
		v := math.Min(beyondReads, s.c.Distance()*1000)
		s.distance = &v
	}
	return *s.distance
}

// inertial asks for what follows.
func (s *senses) inertial() {
	if s.accel == nil {
		a, w := s.c.Inertial()
		s.accel, s.gyr = a[:], w[:]
	}
}

// acceleration is in m/s², with gravity upwards.
func (s *senses) acceleration() []float64 {
	s.inertial()
	out := make([]float64, 3)
	for i, v := range s.accel {
		out[i] = max(-100, min(100, v))
	}
	return out
}

// rotation is by the gyro's table.
func (s *senses) rotation() []float64 {
	s.inertial()
	out := make([]float64, 3)
	for i, v := range s.gyr {
		out[i] = max(-rateCounts, min(rateCounts, v/rateLimit*rateCounts))
	}
	return out
}

// proximityTable is how the infrared sensors answer: distance (m), counts, noise as a share of them.
func proximityTable() (rows [][3]float64) {
	for _, p := range robot.InfraredResponse() {
		rows = append(rows, [3]float64{p.Distance, p.Reading, p.Noise})
	}
	return append(rows, [3]float64{robot.InfraredReach, 0, 0})
}

// rangeTable is the same of the time-of-flight sensor, which reads millimetres.
func rangeTable() (rows [][3]float64) {
	for _, p := range robot.ToFResponse() {
		rows = append(rows, [3]float64{p.Distance, p.Reading * 1000, p.Noise})
	}
	return rows
}

// groundTable is the same of the ground sensors over white.
func groundTable() (rows [][3]float64) {
	for _, p := range robot.GroundResponse() {
		rows = append(rows, [3]float64{p.Distance, p.Reading, p.Noise})
	}
	return rows
}
