// SPDX-License-Identifier: Apache-2.0

package node

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/cmdvel"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// sendCommand publishes a speed, m/s and rad/s, with a time stamp, which a Twist does not have.
type sendCommand func(at time.Time, v, omega float64) error

// createCommands creates the publisher of cmd_vel, or arranges for its creation once the robot's subscription is found.
func (n *Node) createCommands() (err error) {
	if !n.cfg.DetectStamped {
		n.cmd, n.closeCmd, err = n.publishCommands(n.cfg.Stamped)
		return err
	}
	name, err := n.cfg.Node.ResolveName("cmd_vel")
	n.cmd = func(at time.Time, v, omega float64) error {
		rosType := cmdvel.Type(ros2.SubscribedTypes(n.cfg.Node.Transport(), name))
		if rosType == "" {
			return nil
		}
		cmd, closeCmd, err := n.publishCommands(rosType == cmdvel.TwistStamped)
		if err != nil {
			return err
		}
		n.cmd, n.closeCmd = cmd, closeCmd
		return cmd(at, v, omega)
	}
	return err
}

// publishCommands creates the publisher of cmd_vel in one of its two types.
func (n *Node) publishCommands(stamped bool) (sendCommand, func() error, error) {
	twist := func(v, omega float64) geometry_msgs.Twist {
		return geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: v}, Angular: geometry_msgs.Vector3{Z: omega}}
	}
	if stamped {
		pub, err := ros2.NewPublisher[geometry_msgs.TwistStamped](n.cfg.Node, "cmd_vel", ros2.DefaultQoS())
		if err != nil {
			return nil, nil, err
		}
		return func(at time.Time, v, omega float64) error {
			return pub.Publish(&geometry_msgs.TwistStamped{Header: header(at, n.cfg.BaseFrame), Twist: twist(v, omega)})
		}, pub.Close, nil
	}
	pub, err := ros2.NewPublisher[geometry_msgs.Twist](n.cfg.Node, "cmd_vel", ros2.DefaultQoS())
	if err != nil {
		return nil, nil, err
	}
	return func(_ time.Time, v, omega float64) error {
		t := twist(v, omega)
		return pub.Publish(&t)
	}, pub.Close, nil
}

// closeCommands closes the publisher of cmd_vel, if it was created.
func (n *Node) closeCommands() error {
	n.sending.Lock()
	defer n.sending.Unlock()
	closeCmd := n.closeCmd
	n.cmd, n.closeCmd = func(time.Time, float64, float64) error { return ros2.ErrClosed }, nil
	if closeCmd == nil {
		return nil
	}
	return closeCmd()
}
