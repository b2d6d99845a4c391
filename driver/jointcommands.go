// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// onJoints takes speeds for the wheels by the names of their joints, with the same time-out as cmd_vel. Other joints
// are passed over; a message that lacks one of the two, or holds a number that is none, is refused as a whole.
func (d *Driver) onJoints(m *sensor_msgs.JointState) {
	speeds, err := jointSpeeds(m)
	if err != nil {
		if now := d.clock.Now(); d.nonsense.allow(now) {
			d.log.Warn("a joint command was refused", "error", err)
		}
		return
	}
	left, right := d.settings.Load().Wheels.JointSteps(speeds[0], speeds[1])
	d.loop.Drive(wheels.Speeds{Left: mcu.Speed(left), Right: mcu.Speed(right)})
}

// jointSpeeds finds the speeds of the left and the right wheel, rad/s.
func jointSpeeds(m *sensor_msgs.JointState) (speeds [2]float64, err error) {
	for i, joint := range epuck2.JointNames() {
		at := slices.Index(m.Name, joint)
		if at < 0 || at >= len(m.Velocity) {
			return speeds, fmt.Errorf("%w: no velocity of %s among %d names and %d velocities", ErrCommand, joint, len(m.Name), len(m.Velocity))
		}
		if v := m.Velocity[at]; math.IsNaN(v) || math.IsInf(v, 0) {
			return speeds, fmt.Errorf("%w: velocity of %s is %v rad/s", ErrCommand, joint, v)
		}
		speeds[i] = m.Velocity[at]
	}
	return speeds, nil
}
