// SPDX-License-Identifier: Apache-2.0

package sim

import "errors"

// Errors of this package.
var (
	// ErrNoRobot: no robot has that name.
	ErrNoRobot = errors.New("sim: no robot")
	// ErrNoPerson: no person has that name.
	ErrNoPerson = errors.New("sim: no person")
	// ErrNoThing: nothing in the world has that name.
	ErrNoThing = errors.New("sim: nothing is called")
	// ErrNoPart: robots have no such part.
	ErrNoPart = errors.New("sim: no part")
	// ErrOccupied: there is something else already, or the place is outside of the arena, which is ErrOutside, too.
	ErrOccupied = errors.New("sim: the place is occupied")
	// ErrOutside: a place outside of the arena, or nearer to its walls than there is space.
	ErrOutside = errors.New("sim: the place is outside of the arena")
	// ErrRange: a value outside its range.
	ErrRange = errors.New("sim: out of range")
)
