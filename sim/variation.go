// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// vary makes a robot differ from the drawing as the world file says.
func vary(body *physics.Body, eyes *physics.Eyes, inertia *physics.Inertia, w *world.Robot, dice noise.Source) {
	v := w.Variation
	if v.WheelRadii == (world.Radii{}) {
		v.WheelRadii = world.Radii{physics.WheelRadius, physics.WheelRadius}
	}
	if v.WheelRadii != (world.Radii{physics.WheelRadius, physics.WheelRadius}) || v.Slip != 0 {
		body.SetWheels(v.WheelRadii[0], v.WheelRadii[1], v.Slip, v.SlipLength, dice.Named("wheels"))
	}
	if v.Infrared != 0 {
		eyes.Vary(v.Infrared, dice.Named("infrared"))
	}
	if v.Inertial != 0 {
		inertia.Vary(v.Inertial, dice.Named("inertial"))
	}
}
