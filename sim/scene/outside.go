// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// PlacementError is the error of something with a radius, m, that does not fit at a place: ErrOccupied, which also matches
// ErrOutside, with the arena's bounds, if it is not in the arena.
func (s *Scene) PlacementError(at geom.Vec, radius float64) error {
	a := s.made.Arena
	if a == nil {
		return ErrOccupied
	}
	out := math.Max(math.Abs(at.X-a.Center[0])-float64(a.Size[0]/2), math.Abs(at.Y-a.Center[1])-float64(a.Size[1]/2))
	if out <= -radius {
		return ErrOccupied
	}
	how := "outside of"
	if out < 0 {
		how = "nearer than its radius to the wall of"
	}
	return outsideError(fmt.Sprintf("sim: %s the arena, which is %g ≤ x ≤ %g m, %g ≤ y ≤ %g m", how,
		a.Center[0]-float64(a.Size[0]/2), a.Center[0]+float64(a.Size[0]/2), a.Center[1]-float64(a.Size[1]/2), a.Center[1]+float64(a.Size[1]/2)))
}

// outsideError is ErrOutside and ErrOccupied in words.
type outsideError string

// Error implements error.
func (e outsideError) Error() string { return string(e) }

// Is reports whether it is one of the two errors.
func (e outsideError) Is(target error) bool { return target == ErrOutside || target == ErrOccupied }
