// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/sim/articulated"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
)

// Errors of this package.
var (
	// ErrNoRobot: no robot has that name.
	ErrNoRobot = errors.New("sim: no robot")
	// ErrNoPerson: no person has that name.
	ErrNoPerson = scene.ErrNoPerson
	// ErrNoThing: nothing in the world has that name.
	ErrNoThing = scene.ErrNoThing
	// ErrNoPart: robots have no such part.
	ErrNoPart = plant.ErrNoPart
	// ErrOccupied: there is something else already, or the place is outside of the arena, which is ErrOutside, too.
	ErrOccupied = scene.ErrOccupied
	// ErrOutside: a place outside of the arena, or nearer to its walls than there is space.
	ErrOutside = scene.ErrOutside
	// ErrRange: a value outside its range.
	ErrRange = scene.ErrRange
	// ErrModel is matched by the error of a world whose robots have models, in a program that can't simulate those.
	ErrModel = articulated.ErrModel
)
