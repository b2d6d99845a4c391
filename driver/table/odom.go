// SPDX-License-Identifier: Apache-2.0

package table

import (
	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// buildOdometry builds the pose in the odometry frame and the twist in the robot's frame.
func buildOdometry(m *nav_msgs.Odometry, r *Reading) bool {
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = r.Stamp, r.Set.OdomFrame, r.Set.BaseFrame
	m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y = r.Pose.X, r.Pose.Y
	m.Pose.Pose.Orientation = heading(r.Pose.Theta)
	r.Pose.PutPoseCovariance(&m.Pose.Covariance)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = r.Pose.V, r.Pose.Omega
	r.Pose.PutTwistCovariance(&m.Twist.Covariance)
	return true
}

// newTransform returns the builder of the transform from the odometry frame to the robot's frame.
func newTransform() func(m *tf2_msgs.TFMessage, r *Reading) bool {
	transforms := make([]geometry_msgs.TransformStamped, 1)
	return func(m *tf2_msgs.TFMessage, r *Reading) bool {
		if !r.Set.PublishTF {
			return false
		}
		t := &transforms[0]
		t.Header.Stamp, t.Header.FrameID, t.ChildFrameID = r.Stamp, r.Set.OdomFrame, r.Set.BaseFrame
		t.Transform.Translation.X, t.Transform.Translation.Y = r.Pose.X, r.Pose.Y
		t.Transform.Rotation = heading(r.Pose.Theta)
		m.Transforms = transforms
		return true
	}
}

// heading returns the rotation by theta radians about the vertical axis.
func heading(theta float64) geometry_msgs.Quaternion {
	s, c := odometry.Sincos(theta / 2)
	return geometry_msgs.Quaternion{Z: s, W: c}
}

// buildStaticTransforms builds the transforms of all fixed frames of the robot.
func buildStaticTransforms(m *tf2_msgs.TFMessage, r *Reading) bool {
	m.Transforms = StaticTransforms(r.Set)
	for i := range m.Transforms {
		m.Transforms[i].Header.Stamp = r.Stamp
	}
	return true
}

// StaticTransforms returns the transforms of [epuck2.Mounts] with their frames' full names.
func StaticTransforms(set *Settings) []geometry_msgs.TransformStamped {
	var all []geometry_msgs.TransformStamped
	for _, m := range epuck2.Mounts() {
		parent := set.BaseFrame
		if m.Parent != "" {
			parent = set.Prefix + m.Parent
		}
		t := geometry_msgs.TransformStamped{ChildFrameID: set.Prefix + m.Frame}
		t.Header.FrameID = parent
		t.Transform.Translation = geometry_msgs.Vector3{X: m.X, Y: m.Y, Z: m.Z}
		q := &t.Transform.Rotation
		q.X, q.Y, q.Z, q.W = m.Quaternion()
		all = append(all, t)
	}
	return all
}
