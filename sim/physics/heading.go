// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// heading remembers the direction of one angle: a robot that drives straight on needs the same one each time. The
// answer is the same bits with and without memory, so it is no part of a robot's state.
type heading struct {
	bits      uint64 // of the angle, for 0 and −0 differ
	direction geom.Vec
}

// of returns the unit vector of an angle, rad.
func (h *heading) of(theta float64) geom.Vec {
	if bits := math.Float64bits(theta); bits != h.bits || h.direction == (geom.Vec{}) {
		h.bits, h.direction = bits, geom.Direction(theta)
	}
	return h.direction
}
