// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"context"
	"fmt"
	"os"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// A program has the tools as its sub-commands. The network of this one is in memory.
func Example() {
	network := ros2test.NewNetwork()
	robot, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: network.NewTransport()})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = ros2.NewSubscription(robot, "cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.Twist, _ ros2.MessageInfo) {})
	if err != nil {
		fmt.Println(err)
		return
	}
	env := shell.Env{
		Program: "mytool", Out: os.Stdout, Err: os.Stderr, Node: "_mytool", Types: msgs.Definition, TypeNames: msgs.Names(),
		Open: func() (ros2.Transport, error) { return network.NewTransport(), nil },
	}
	shell.Run(context.Background(), env, []string{"topic", "list", "-t"})
	shell.Run(context.Background(), env, []string{"topic", "pub", "--once", "/cmd_vel", "geometry_msgs/msg/Twist", "{linear: {x: 0.1}}"})
	if err := robot.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// /cmd_vel [geometry_msgs/msg/Twist]
	// publisher: beginning loop
	// publishing #1: geometry_msgs.msg.Twist(linear=geometry_msgs.msg.Vector3(x=0.1, y=0.0, z=0.0), angular=geometry_msgs.msg.Vector3(x=0.0, y=0.0, z=0.0))
}
