// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// AddLoose puts one more shape behind all others and returns its number. Loose shapes are few and move often.
func (s *Scene) AddLoose(shape geom.Shape) int {
	s.InsertLoose(len(s.shapes), shape)
	return len(s.shapes) - 1
}

// InsertLoose puts one more shape in the place of loose shape i; the numbers from that on go up by one.
func (s *Scene) InsertLoose(i int, shape geom.Shape) {
	s.shapes = slices.Insert(s.shapes, i, shape)
	if s.moves != nil {
		s.moves, s.anchors = slices.Insert(s.moves, i, false), slices.Insert(s.anchors, i, geom.Vec{})
	}
	s.lay()
}

// CutLoose takes loose shape i away; the numbers of those behind it go down by one.
func (s *Scene) CutLoose(i int) {
	s.shapes = slices.Delete(s.shapes, i, i+1)
	if s.moves != nil {
		s.moves, s.anchors = slices.Delete(s.moves, i, i+1), slices.Delete(s.anchors, i, i+1)
	}
	s.lay()
}

// MoveLoose puts loose shape i somewhere else.
func (s *Scene) MoveLoose(i int, at geom.Vec) {
	s.shapes[i] = s.shapes[i].Moved(at, 0)
	s.version++
}

// lay lays the grid anew after a change.
func (s *Scene) lay() {
	s.lattice = newLattice(s.shapes, s.fixed, s.moves)
	s.version++
}

// Room reports whether a disc of a radius (m) fits at p among the shapes, but for shape number without.
func (s *Scene) Room(p geom.Vec, radius float64, without int) bool {
	for _, i := range s.lattice.around(s.shapes, p, radius, nil) {
		if v, hit := s.shapes[i].Push(p, radius); hit && int(i) != without && v.Norm() > touch {
			return false
		}
	}
	return true
}
