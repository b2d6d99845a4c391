// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// rim is how far from the robot's centre its outermost sensor sits, m.
const rim = robot.BodyRadius

// Witnesses appends the numbers of all bodies that infrared sensors of a robot at p may notice: those within their
// reach, and those that may be between them and a light. Some are named twice.
func (s *Scene) Witnesses(c *Crowd, p geom.Vec, dst []int32) []int32 {
	dst = c.Around(p, SenseReach, dst)
	return s.shades(c, p, dst)
}

// RangeWitnesses is the same for the time-of-flight sensor.
func (s *Scene) RangeWitnesses(c *Crowd, p geom.Vec, dst []int32) []int32 {
	dst = c.Around(p, rim+maxRange+BodyRadius, dst)
	return s.shades(c, p, dst)
}

// shades appends the bodies that may be between the sensors of a robot at p and the lights.
func (s *Scene) shades(c *Crowd, p geom.Vec, dst []int32) []int32 {
	for i := range s.lights {
		flat, rise := s.lights[i].Position.Sub(p), s.lights[i].Height-SensorHeight
		if rise > 0 { // the ray climbs over all bodies beyond
			length := flat.Norm()
			low := float64((s.tallest-SensorHeight)/rise*(length+rim)) + BodyRadius + rim
			if low < length {
				flat = flat.Scale(low / length)
			}
		}
		dst = c.Along(p, p.Add(flat), rim+BodyRadius, dst)
	}
	return dst
}

// Blocks reports whether a thing as high as the sensors is on the straight line between two points.
func (s *Scene) Blocks(from, to geom.Vec) bool {
	way := to.Sub(from)
	length := way.Norm()
	if length == 0 {
		return false
	}
	dir := way.Scale(1 / length)
	return s.lattice.any(from, to, func(i int32) bool {
		shape := &s.shapes[i]
		if shape.Height() < SensorHeight {
			return false
		}
		d, hit := shape.Ray(from, dir)
		return hit && d < length
	})
}
