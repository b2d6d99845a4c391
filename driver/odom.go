// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// buildOdometry fills in the pose in the odometry frame and the twist in the robot's own.
func buildOdometry(m *nav_msgs.Odometry, r *reading) bool {
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = r.stamp, r.set.odomFrame, r.set.baseFrame
	m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y = r.pose.X, r.pose.Y
	m.Pose.Pose.Orientation = heading(r.pose.Theta)
	r.pose.PutPoseCovariance(&m.Pose.Covariance)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = r.pose.V, r.pose.Omega
	r.pose.PutTwistCovariance(&m.Twist.Covariance)
	return true
}

// newTransform returns the builder of the transform from the odometry frame to the robot's own.
func newTransform() func(m *tf2_msgs.TFMessage, r *reading) bool {
	transforms := make([]geometry_msgs.TransformStamped, 1)
	return func(m *tf2_msgs.TFMessage, r *reading) bool {
		if !r.set.publishTF {
			return false
		}
		t := &transforms[0]
		t.Header.Stamp, t.Header.FrameID, t.ChildFrameID = r.stamp, r.set.odomFrame, r.set.baseFrame
		t.Transform.Translation.X, t.Transform.Translation.Y = r.pose.X, r.pose.Y
		t.Transform.Rotation = heading(r.pose.Theta)
		m.Transforms = transforms
		return true
	}
}

// heading gives the rotation by theta radians about the vertical axis.
func heading(theta float64) geometry_msgs.Quaternion {
	s, c := odometry.Sincos(theta / 2)
	return geometry_msgs.Quaternion{Z: s, W: c}
}

// buildStaticTransforms fills in every fixed frame of the robot.
func buildStaticTransforms(m *tf2_msgs.TFMessage, r *reading) bool {
	m.Transforms = staticTransforms(r.set)
	for i := range m.Transforms {
		m.Transforms[i].Header.Stamp = r.stamp
	}
	return true
}

// staticTransforms gives the transforms of [Mounts] with their frames' full names.
func staticTransforms(set *settings) []geometry_msgs.TransformStamped {
	var all []geometry_msgs.TransformStamped
	for _, m := range epuck2.Mounts() {
		parent := set.baseFrame
		if m.Parent != "" {
			parent = set.prefix + m.Parent
		}
		t := geometry_msgs.TransformStamped{ChildFrameID: set.prefix + m.Frame}
		t.Header.FrameID = parent
		t.Transform.Translation = geometry_msgs.Vector3{X: m.X, Y: m.Y, Z: m.Z}
		q := &t.Transform.Rotation
		q.X, q.Y, q.Z, q.W = m.Quaternion()
		all = append(all, t)
	}
	return all
}
