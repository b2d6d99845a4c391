// SPDX-License-Identifier: Apache-2.0

// Package ros2 is a ROS 2 client library in pure Go: nodes, typed publishers
// and subscriptions, names and remapping, parameters, quality of service,
// clocks and the graph, for any robot or tool.
//
// The package is independent of DDS. Messages are carried by a [Transport]; package ros2/rmw communicates with other
// ROS 2 machines, package ros2/ros2test stays in memory.
//
// A node that publishes and subscribes:
//
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport})
//	pub, err := ros2.NewPublisher[std_msgs.String](node, "chatter", ros2.DefaultQoS())
//	sub, err := ros2.NewSubscription(node, "chatter", ros2.DefaultQoS(),
//		func(m *std_msgs.String, info ros2.MessageInfo) { fmt.Println(m.Data) })
//	err = pub.Publish(&std_msgs.String{Data: "hello"})
//
// Message types are structs generated from ROS interface definitions (packages msgs/…); any type whose pointer
// implements [Message] can be used.
package ros2
