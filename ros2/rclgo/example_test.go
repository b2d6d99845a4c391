// SPDX-License-Identifier: Apache-2.0

package rclgo_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
)

// A program uses the transport if it was built with ROS 2, and another one otherwise.
func ExampleNew() {
	transport, err := rclgo.New(rclgo.Config{DomainID: rclgo.EnvironmentDomain})
	if errors.Is(err, rclgo.ErrNotBuiltIn) {
		fmt.Println("take package rmw instead")
		return
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = transport.Close() }()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(node.FullName())
}
