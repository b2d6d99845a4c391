// SPDX-License-Identifier: Apache-2.0

package firmware

import (
	"github.com/epuck-ros2/epuck-driver/sim/chip/vground"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
)

// Motion returns what the inertial sensors are given at the present time of the world.
func (r *Robot) Motion() vimu.Motion { return senses{&r.d}.Motion() }

// Target returns what the time-of-flight sensor is given.
func (r *Robot) Target() vtof.Target { return senses{&r.d}.Target() }

// Spot returns what a ground sensor is given.
func (r *Robot) Spot(which vground.Sensor) vground.Spot { return senses{&r.d}.Spot(which) }

// Body returns the robot's body.
func (r *Robot) Body() *functional.Body { return &r.d.Body }
