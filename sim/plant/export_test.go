// SPDX-License-Identifier: Apache-2.0

package plant

import "github.com/epuck-ros2/epuck-driver/sim/geom"

// Meet returns whom u may touch in the cycles of the longest step.
func (u *Unit) Meet() []int32 { return u.meet() }

// Anchor returns where the grid has u.
func (u *Unit) Anchor() geom.Vec { return u.world.grid.Anchor(u.place).At }
