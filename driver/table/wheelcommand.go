// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ErrCommand is matched when the robot can't execute a command.
var ErrCommand = errors.New("driver: command rejected")

// subscribeSpeeds subscribes to cmd_vel, whose type is set by a parameter.
func subscribeSpeeds(n *ros2.Node, to Commands, row Topic, led int, name string, set *Settings) (Input, error) {
	if set.Stamped {
		return subscribe(func(to Commands, m *geometry_msgs.TwistStamped) { to.Twist(&m.Twist) })(n, to, row, led, name, set)
	}
	return subscribe(Commands.Twist)(n, to, row, led, name, set)
}

// TwistSteps returns the speeds of the left and the right wheel, steps/s, for a cmd_vel. A message with a value that is
// not finite is rejected, even if the robot does not use that value. The error matches [ErrCommand].
func (s *Settings) TwistSteps(m *geometry_msgs.Twist) (left, right int16, err error) {
	for _, v := range [...]float64{m.Linear.X, m.Linear.Y, m.Linear.Z, m.Angular.X, m.Angular.Y, m.Angular.Z} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, 0, fmt.Errorf("%w: linear %v m/s, angular %v rad/s", ErrCommand, m.Linear, m.Angular)
		}
	}
	left, right = s.Wheels.Steps(m.Linear.X, m.Angular.Z)
	return left, right, nil
}

// JointSteps returns the speeds of the left and the right wheel, steps/s, for a joint command. Joints other than the
// wheels' are ignored; a message that lacks one of the two, or has a speed that is not finite, is rejected. The error
// matches [ErrCommand].
func (s *Settings) JointSteps(m *sensor_msgs.JointState) (left, right int16, err error) {
	speeds, err := JointSpeeds(m)
	if err != nil {
		return 0, 0, err
	}
	left, right = s.Wheels.JointSteps(speeds[0], speeds[1])
	return left, right, nil
}

// JointSpeeds returns the speeds of the left and the right wheel in a joint command, rad/s; see [Settings.JointSteps].
func JointSpeeds(m *sensor_msgs.JointState) (speeds [2]float64, err error) {
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
