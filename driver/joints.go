// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
)

// newJointStates returns the builder of the wheels' measured angles and speeds. Joint names are those of the robot's
// description and carry no frame prefix, as robot_state_publisher expects.
func newJointStates() func(m *sensor_msgs.JointState, r *reading) bool {
	joints := epuck2.JointNames()
	names := joints[:]
	var position, velocity [2]float64
	return func(m *sensor_msgs.JointState, r *reading) bool {
		m.Header.Stamp = r.stamp
		position = [2]float64{r.pose.Left.Angle, r.pose.Right.Angle}
		velocity = [2]float64{r.pose.Left.Velocity, r.pose.Right.Velocity}
		m.Name, m.Position, m.Velocity = names, position[:], velocity[:]
		return true
	}
}
