// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

const (
	// rangeCone is the full angle of the time-of-flight sensor's view, rad.
	rangeCone = 25 * degree
	// beams is the number of rays in it; odd, so that one looks straight ahead.
	beams = 9
	// edgeWeight is how much the outermost rays count beside the middle one:
	// emitter and receiver are both weaker there. Plausible.
	edgeWeight = 0.2
	// maxRange is where the model of the sensor ends, m.
	maxRange = 2.0
	// signalAtOneMetre is the return rate of a wall that fills the cone, 10⁶
	// photons/s. It falls with the square of the distance, so that the limits
	// 0.25 and 0.1 of the sensor's two profiles mean 1.26 m and 2 m, their
	// ranges in the data sheet.
	signalAtOneMetre = 0.4
	// nearestSignal bounds the growth of the return rate, m.
	nearestSignal = 0.02
	// ambientRate is the background rate at 1 W/m², 10⁶ photons/s; plausible.
	ambientRate = 0.5
)

// Echo is what a time-of-flight measurement gives.
type Echo struct {
	// Seen tells that anything sent light back; otherwise Distance and Signal are 0.
	Seen bool
	// Distance is what the sensor reports, m: its typical error and noise are in it.
	Distance float64
	// Signal is the rate of the light sent back, Ambient that of the background,
	// 10⁶ photons/s.
	Signal, Ambient float64
}

// Ranger is the time-of-flight sensor of one robot. It is not safe for
// concurrent use.
type Ranger struct {
	mount  geom.Vec
	beam   [beams]geom.Vec
	weight [beams]float64 // together 1
	table  *[8]point
	noise  noise.Source
	quiet  bool
	near   vicinity
}

// NewRanger returns the sensor of one robot; src gives its noise, a quiet one
// has none.
func NewRanger(src noise.Source, quiet bool) *Ranger {
	m := RangeFinder()
	r := &Ranger{
		mount: m.Position, table: rangeTable(), noise: src, quiet: quiet,
		near: vicinity{reach: m.Position.Norm() + maxRange},
	}
	sum := 0.0
	for k := range beams {
		off := float64(2*k)/(beams-1) - 1 // −1 to 1
		r.beam[k] = geom.Direction(m.Heading + float64(rangeCone/2*off))
		r.weight[k] = 1 - float64((1-edgeWeight)*float64(off*off))
		sum += r.weight[k]
	}
	for k := range r.weight {
		r.weight[k] /= sum
	}
	return r
}

// Measure returns measurement n of a robot at a pose. Others are the middles
// of the other robots. A robot in the air sees no obstacles.
//
// Each ray's distance counts by the light it sends back, which falls with the
// square of the distance: the nearest thing dominates without hiding the rest.
func (r *Ranger) Measure(s *Scene, pose geom.Pose, others []geom.Vec, inAir bool, n uint64) Echo {
	echo := Echo{Ambient: float64(ambientRate * s.ambient)}
	if inAir {
		return echo
	}
	facing := geom.Direction(pose.Theta)
	at := pose.Position().Add(r.mount.Rotate(facing))
	near := r.near.near(s, pose.Position())
	light, sum := 0.0, 0.0
	for k := range r.beam {
		d := s.distance(near, at, r.beam[k].Rotate(facing), others, maxRange)
		if d >= maxRange {
			continue
		}
		back := r.weight[k] / float64(max(d, nearestSignal)*max(d, nearestSignal))
		light += back
		sum += float64(back * d)
	}
	if light == 0 {
		return echo
	}
	value, sigma := interpolate(r.table[:], sum/light)
	if !r.quiet {
		value += float64(sigma * r.noise.Normal(n))
	}
	echo.Seen, echo.Distance, echo.Signal = true, max(0, value), float64(signalAtOneMetre*light)
	return echo
}

// rangeTable is the distance (m), the sensor's mean reading (m) and its
// standard deviation / reading, as in Webots' model of the robot (E-puck.proto).
// The model ends with no noise at 2 m; here the noise before it goes on.
func rangeTable() *[8]point {
	return &[8]point{
		{0.00, 0.0198, 0.126},
		{0.05, 0.0585, 0.032},
		{0.10, 0.1110, 0.019},
		{0.20, 0.2189, 0.009},
		{0.50, 0.5319, 0.007},
		{1.00, 1.0520, 0.010},
		{1.70, 1.7805, 0.013},
		{2.00, 2.0000, 0.013},
	}
}

// RangeReading returns the time-of-flight sensor's mean reading and its
// standard deviation for a thing at a distance; all m.
func RangeReading(distance float64) (value, sigma float64) {
	return interpolate(rangeTable()[:], distance)
}
