// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// What a robot does whose solids the scene has. A disc has its own.

// UpdateSolids notes in the scene where the robot's solids are now.
func (u *Unit) UpdateSolids() { u.plant.Outline(u.world.solids[:u.first:u.past]) } // as many as before, in their memory

// Solids implements scene.Robot.
func (u *Unit) Solids(*[1]geom.Shape) []geom.Shape { return u.world.solids[u.first:u.past] }

// Fits implements scene.Robot.
func (u *Unit) Fits() bool {
	own := u.plant.Outline(nil)
	for i := range own {
		if _, hit, _ := u.Environment().Push(&own[i]); hit {
			return false
		}
	}
	return true
}

// AppendTo implements Plant.
func (u *Unit) AppendTo(o *physics.Others) {
	for i := u.first; i < u.past; i++ {
		o.Solids = append(o.Solids, int32(i))
	}
}

// Overlaps implements scene.Robot.
func (u *Unit) Overlaps(at geom.Vec, radius float64) bool {
	for i := u.first; i < u.past; i++ {
		if v, hit := u.world.solids[i].Push(at, radius); hit && v.Norm() > touch {
			return true
		}
	}
	return false
}

// Covers implements Plant: it looks at the solids, which have not moved since the robot was sampled.
func (u *Unit) Covers(at, dir geom.Vec, d float64) bool {
	for i := u.first; i < u.past; i++ {
		solid := &u.world.solids[i]
		if t, hit := solid.Ray(at, dir); hit && t < d && solid.Height() >= physics.SensorHeight {
			return true
		}
	}
	return false
}

// Draw implements Plant.
func (u *Unit) Draw(to *vcamera.Scene) {
	for i := u.first; i < u.past; i++ {
		to.Things = append(to.Things, vcamera.Thing{Shape: u.world.solids[i], Colour: u.colour})
	}
}
