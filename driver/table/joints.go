// SPDX-License-Identifier: Apache-2.0

package table

import (
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
)

// newJointStates returns the builder of the wheels' measured angles and speeds. Joint names are those of the robot's
// description and carry no frame prefix, as robot_state_publisher expects.
func newJointStates() func(m *sensor_msgs.JointState, r *Reading) bool {
	joints := epuck2.JointNames()
	names := joints[:]
	var position, velocity [2]float64
	return func(m *sensor_msgs.JointState, r *Reading) bool {
		m.Header.Stamp = r.Stamp
		position = [2]float64{r.Pose.Left.Angle, r.Pose.Right.Angle}
		velocity = [2]float64{r.Pose.Left.Velocity, r.Pose.Right.Velocity}
		m.Name, m.Position, m.Velocity = names, position[:], velocity[:]
		return true
	}
}
