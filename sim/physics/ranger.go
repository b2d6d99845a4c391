// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

const (
	// rangeCone is the full angle of the time-of-flight sensor's view, rad.
	rangeCone = robot.ToFAperture
	// beams is the number of rays in it; odd, so that one looks straight ahead.
	beams = 9
	// beamGap is the gap between two of them, in half cones.
	beamGap = 2.0 / (beams - 1)
	// edgeWeight is the weight of the outermost rays relative to the middle one:
	// emitter and receiver are both weaker there. Plausible.
	edgeWeight = 0.2
	// maxRange is how far the world before the sensor is looked at, m.
	maxRange = 2.5
	// nearest bounds the growth of the light that comes back, m.
	nearest = 0.02
)

// Echo is what a time-of-flight sensor has before it.
type Echo struct {
	// Distance is where the light that comes back comes from, m; +Inf if none does.
	Distance float64
	// Share is how much light returns relative to that from a white wall at
	// Distance that fills the cone, 0 to 1: by reflectance, incidence, and
	// how much of the cone is filled.
	Share float64
	// Light is the light from elsewhere that shines on the sensor, W/m².
	Light float64
}

// Ranger is the view of the time-of-flight sensor of one robot. It is not safe
// for concurrent use.
type Ranger struct {
	mount  geom.Vec
	beam   [beams]geom.Vec
	weight [beams]float64 // together 1
	mean   float64        // of the weights before
	near   vicinity
	solid  []int32 `checkpoint:"-"` // shapes that the rays can't miss
}

// edge is the weight of a direction relative to the middle of the cone, -1 to 1 from edge to edge.
func edge(off float64) float64 {
	off = max(-1, min(1, off))
	return 1 - float64((1-edgeWeight)*float64(off*off))
}

// NewRanger returns the view of one robot's sensor.
func NewRanger() *Ranger {
	m := RangeFinder()
	r := &Ranger{mount: m.Position, near: vicinity{reach: m.Position.Norm() + maxRange}}
	sum := 0.0
	for k := range beams {
		off := float64(float64(2*k)/(beams-1)) - 1 // −1 to 1
		r.beam[k] = geom.Direction(m.Heading + float64(rangeCone/2*off))
		r.weight[k] = edge(off)
		sum += r.weight[k]
	}
	r.mean = sum / beams
	for k := range r.weight {
		r.weight[k] /= sum
	}
	return r
}

// Look returns what a robot at a pose has before its sensor. A robot in the air
// sees no obstacles.
//
// Each ray's distance counts by the light it sends back, which falls with the
// square of the distance: the nearest thing dominates without hiding the rest.
func (r *Ranger) Look(s *Scene, pose geom.Pose, others *Others, inAir bool) Echo {
	facing := geom.Direction(pose.Theta)
	at := pose.Position().Add(r.mount.Rotate(facing))
	echo := Echo{Distance: math.Inf(1), Light: s.irradiance(at, r.beam[beams/2].Rotate(facing), others)}
	if inAir {
		return echo
	}
	if others == nil {
		others = &none
	}
	near := r.near.near(s, pose.Position())
	light, sum := 0.0, 0.0
	add := func(seen sight, weight float64) {
		floored := max(seen.distance, nearest)
		back := float64(weight*seen.share) / float64(floored*floored)
		light += back
		sum += float64(back * seen.distance)
	}
	rest := 1.0 // of the cone, without posts that are thinner than the gaps between the rays
	r.solid = r.solid[:0]
	for _, n := range near {
		p, ok := thin(&s.shapes[n], at, r.beam[beams/2].Rotate(facing), rangeCone/2, beamGap)
		if !ok {
			r.solid = append(r.solid, n)
			continue
		}
		if covered := float64(p.cover() * edge(p.off) / r.mean); p.distance < maxRange {
			covered = min(rest, covered)
			add(p.sight, covered)
			rest -= covered
		}
	}
	for k := range r.beam {
		if seen := s.firstHit(r.solid, at, r.beam[k].Rotate(facing), others, maxRange); seen.distance < maxRange {
			add(seen, float64(rest*r.weight[k]))
		}
	}
	if light == 0 {
		return echo
	}
	echo.Distance = sum / light
	floored := max(echo.Distance, nearest)
	echo.Share = min(1, float64(light*float64(floored*floored)))
	return echo
}
