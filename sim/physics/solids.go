// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Others are the robots that may matter to a robot's movement or measurement; nil stands for none.
type Others struct {
	// Discs are the middles of robots that are discs of BodyRadius and BodyHeight, m.
	Discs []geom.Vec
	// Solids are the numbers of the solids of articulated robots, see [Scene.SetSolids].
	Solids []int32
}

// none are no other robots.
var none Others

// SetSolids sets the solids of all articulated robots as they are now. The scene keeps the slice: its elements may
// change between calls of the scene's methods.
func (s *Scene) SetSolids(shapes []geom.Shape) {
	s.solids, s.tallest = shapes, BodyHeight
	for i := range shapes {
		s.tallest = max(s.tallest, shapes[i].Height())
	}
}

// Solid returns solid i of the robots, to be read until it moves.
func (s *Scene) Solid(i int) *geom.Shape { return &s.solids[i] }

// solidNear reports whether one of some solids may be within reach (m) of p.
func (s *Scene) solidNear(solids []int32, p geom.Vec, reach float64) bool {
	for _, i := range solids {
		if s.solids[i].Near(p, reach) {
			return true
		}
	}
	return false
}

// Around appends the numbers of the shapes that may be within reach (m) of p, in ascending order; solids of robots are
// not among them.
func (s *Scene) Around(p geom.Vec, reach float64, dst []int32) []int32 {
	return s.lattice.around(s.shapes, p, reach, dst)
}

// Nearby remembers which shapes are near a body that moves.
type Nearby struct{ v vicinity }

// NewNearby returns one for a reach, m.
func NewNearby(reach float64) Nearby { return Nearby{vicinity{reach: reach}} }

// Shapes returns the numbers of all shapes within the reach of p, and of some more, in ascending order, until the next
// call.
func (n *Nearby) Shapes(s *Scene, p geom.Vec) []int32 { return n.v.near(s, p) }

// Ref returns shape i, to be read until the scene changes.
func (s *Scene) Ref(i int32) *geom.Shape { return &s.shapes[i] }

// Version counts the changes of shapes and lights.
func (s *Scene) Version() uint64 { return s.version }

// Irradiance returns the light on a surface at a place, a height (m) over the floor, W/m²: of the lamps before it,
// whose light things may hide, and of what is everywhere. Its axis is a unit vector, up the third part of it.
func (s *Scene) Irradiance(at geom.Vec, height float64, axis geom.Vec, up float64) float64 {
	sum := s.ambient
	for i := range s.lights {
		l := &s.lights[i]
		flat, rise := l.Position.Sub(at), l.Height-height
		front := axis.Dot(flat) + float64(up*rise)
		if front <= 0 || s.shadedFrom(at, height, flat, rise) {
			continue
		}
		dd := flat.Dot(flat) + float64(rise*rise)
		sum += float64(l.Intensity*front) / float64(dd*math.Sqrt(dd))
	}
	return sum
}

// shadedFrom is shaded for a place at any height, and by things alone.
func (s *Scene) shadedFrom(at geom.Vec, height float64, flat geom.Vec, rise float64) bool {
	length := flat.Norm()
	if length == 0 {
		return false
	}
	dir := flat.Scale(1 / length)
	return s.lattice.any(at, at.Add(flat), func(i int32) bool {
		d, hit := s.shapes[i].Ray(at, dir)
		return hit && d < length && height+float64(rise*d)/length < s.shapes[i].Height()
	})
}
