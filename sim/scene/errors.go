// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Errors of this package. Their texts are those of package sim, in which users find them.
var (
	// ErrNoPerson: no person has that name.
	ErrNoPerson = errors.New("sim: no person")
	// ErrNoThing: nothing in the world has that name.
	ErrNoThing = errors.New("sim: nothing is called")
	// ErrOccupied: there is something else already, or the place is outside of the arena, which is ErrOutside, too.
	ErrOccupied = errors.New("sim: the place is occupied")
	// ErrOutside: a place outside of the arena, or nearer to its walls than there is space.
	ErrOutside = errors.New("sim: the place is outside of the arena")
	// ErrRange: a value outside its range.
	ErrRange = errors.New("sim: out of range")
)

// Finite returns ErrRange for a pose with a coordinate that is no number or is beyond 1000 km.
func Finite(p geom.Pose) error {
	for _, v := range []float64{p.X, p.Y, p.Theta} {
		if math.IsNaN(v) || math.Abs(v) > 1e6 {
			return fmt.Errorf("%w: pose (%g, %g, %g)", ErrRange, p.X, p.Y, p.Theta)
		}
	}
	return nil
}
