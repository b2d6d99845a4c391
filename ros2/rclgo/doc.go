// SPDX-License-Identifier: Apache-2.0

// Package rclgo is the transport for machines with an installed ROS 2: it uses ROS 2's C library rcl, by means of
// github.com/tiiuae/rclgo, and so any middleware that RMW_IMPLEMENTATION names, with that middleware's security, shared
// memory, tracing and QoS files.
//
//	transport, err := rclgo.New(rclgo.Config{Args: os.Args[1:]})
//	defer transport.Close()
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport})
//
// It requires a build with the tag "rclgo" in a sourced ROS 2 environment; otherwise [New] returns [ErrNotBuiltIn]:
//
//	. /opt/ros/humble/setup.sh && . scripts/rclgo-flags.sh && go build -tags rclgo ./cmd/epuck-driver
//
// The program uses its own message types: messages are passed to rcl in encoded form, so no C bindings of messages are
// compiled in. Only the type support of each type is loaded, at run time, from the ROS 2 installation. rcl cannot send
// requests and replies in encoded form, so they pass through the C structure of their type.
//
// Differences from the transport of package rmw, because of rcl:
//
//   - a type must be installed (ros-$ROS_DISTRO-<package>), else [ErrType];
//   - the graph is empty until a node is added;
//   - messages have no publisher: [ros2.MessageInfo]'s Publisher is zero, and
//     Sequence counts the messages of the subscription;
//   - in ROS 2 Humble the graph has no type hashes, and the graph has neither
//     the GID nor the quality of service of services and clients;
//   - Cork and Uncork do nothing: rcl sends each message separately.
//
// Each file fault_*.go works around one fault of rclgo.
package rclgo
