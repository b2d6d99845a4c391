// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// Names of the components for joints and transforms.
const (
	jointStates = "joint_states"
	transforms  = "tf"
)

// transform returns a joint's pose as a message.
func transform(c *Context, now time.Time, parent, child string, p description.Pose) geometry_msgs.TransformStamped {
	t := geometry_msgs.TransformStamped{ChildFrameID: c.frame(child)}
	t.Header.Stamp, t.Header.FrameID = stamp(now), c.frame(parent)
	t.Transform.Translation = geometry_msgs.Vector3{X: p.Position.X, Y: p.Position.Y, Z: p.Position.Z}
	q := p.Rotation
	t.Transform.Rotation = geometry_msgs.Quaternion{X: q.Imag, Y: q.Jmag, Z: q.Kmag, W: q.Real}
	if (q == description.Pose{}.Rotation) {
		t.Transform.Rotation.W = 1
	}
	return t
}

// offerJoints returns the component that publishes the positions of all moving joints.
func offerJoints(c *Context, desc *description.Robot) (Component, error) {
	return Offer(c, c.Settings.Topic, func(m *sensor_msgs.JointState, d machine.Devices, now time.Time) bool {
		m.Header.Stamp = stamp(now)
		m.Name, m.Position, m.Velocity = m.Name[:0], m.Position[:0], m.Velocity[:0]
		for i := range desc.Joints {
			if desc.Joints[i].Moves() {
				s := d.Joint(i)
				m.Name = append(m.Name, desc.Joints[i].Name)
				m.Position, m.Velocity = append(m.Position, s.Position), append(m.Velocity, s.Velocity)
			}
		}
		return true
	})
}

// listenJoints returns the component that moves joints by joint_commands, by name: to positions, or with velocities
// where there is no position.
func listenJoints(c *Context, desc *description.Robot) (Component, error) {
	joints := map[string]int{}
	for i := range desc.Joints {
		joints[desc.Joints[i].Name] = i
	}
	return listen(c, "joint_commands", func(d machine.Devices, m *sensor_msgs.JointState) {
		for k, name := range m.Name {
			i, known := joints[name]
			switch {
			case !known:
			case k < len(m.Position) && !math.IsNaN(m.Position[k]):
				speed := 0.0
				if k < len(m.Velocity) {
					speed = m.Velocity[k]
				}
				d.SetPosition(i, m.Position[k], speed)
			case k < len(m.Velocity):
				d.SetVelocity(i, m.Velocity[k])
			}
		}
	})
}

// offerTransforms returns the component that publishes the transforms of moving joints, and the odometry's.
func offerTransforms(c *Context, desc *description.Robot, wheels *drive) (Component, error) {
	return Offer(c, "/tf", func(m *tf2_msgs.TFMessage, d machine.Devices, now time.Time) bool {
		m.Transforms = m.Transforms[:0]
		if wheels != nil {
			t := geometry_msgs.TransformStamped{ChildFrameID: c.frame(wheels.set.base)}
			t.Header.Stamp, t.Header.FrameID = stamp(now), c.frame(wheels.set.frame)
			t.Transform.Translation.X, t.Transform.Translation.Y = wheels.pose.X, wheels.pose.Y
			t.Transform.Rotation = heading(wheels.pose.Theta)
			m.Transforms = append(m.Transforms, t)
		}
		for i := range desc.Joints {
			if j := &desc.Joints[i]; j.Moves() {
				m.Transforms = append(m.Transforms, transform(c, now, j.Parent, j.Child, j.At(d.Joint(i).Position)))
			}
		}
		return len(m.Transforms) > 0
	})
}

// publishStatic publishes the description and the transforms of fixed joints, both latched for later subscribers.
func publishStatic(c *Context, desc *description.Robot, now time.Time) (close []func() error, err error) {
	text, err := ros2.NewPublisher[std_msgs.String](c.Node, "robot_description", ros2.LatchedQoS())
	if err != nil {
		return nil, err
	}
	close = append(close, text.Close)
	if err := text.Publish(&std_msgs.String{Data: string(urdf.Write(desc))}); err != nil {
		return close, err
	}
	mounts, err := ros2.NewPublisher[tf2_msgs.TFMessage](c.Node, "/tf_static", ros2.TFStaticQoS())
	if err != nil {
		return close, err
	}
	close = append(close, mounts.Close)
	var m tf2_msgs.TFMessage
	for i := range desc.Joints {
		if j := &desc.Joints[i]; !j.Moves() {
			m.Transforms = append(m.Transforms, transform(c, now, j.Parent, j.Child, j.Origin))
		}
	}
	return close, mounts.Publish(&m)
}
