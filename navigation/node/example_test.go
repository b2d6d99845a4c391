// SPDX-License-Identifier: Apache-2.0

package node_test

import (
	"context"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	navnode "github.com/epuck-ros2/epuck-driver/navigation/node"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// A robot is sent to where it is already.
func Example() {
	network := ros2test.NewNetwork()
	node := func(name string) *ros2.Node {
		n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: network.NewTransport()})
		if err != nil {
			panic(err)
		}
		return n
	}
	robot, own := node("robot"), node("navigator")
	defer robot.Close()
	defer own.Close()
	n, err := navnode.New(navnode.Config{Node: own, OdometryTimeout: time.Minute})
	if err != nil {
		panic(err)
	}
	defer n.Close()
	odom, err := ros2.NewPublisher[nav_msgs.Odometry](robot, "odom", ros2.LatchedQoS())
	if err != nil {
		panic(err)
	}
	here := nav_msgs.Odometry{}
	here.Header.FrameID, here.Pose.Pose.Orientation.W = "odom", 1
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for tick := time.NewTicker(10 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			_ = odom.Publish(&here)
		}
	}()
	goal := geometry_msgs.PoseStamped{}
	goal.Header.FrameID = "odom"
	err = n.Drive(ctx, []geometry_msgs.PoseStamped{goal}, nil)
	fmt.Println("there:", err == nil)
	// Output: there: true
}
