// SPDX-License-Identifier: Apache-2.0

// Package rclgo is the transport for machines where ROS 2 is installed: it carries
// messages and services through ROS 2's own C library rcl, by way of
// github.com/tiiuae/rclgo, and so over any middleware that RMW_IMPLEMENTATION
// names, with that middleware's security, shared memory, tracing and QoS files.
//
//	transport, err := rclgo.New(rclgo.Config{Args: os.Args[1:]})
//	defer transport.Close()
//	node, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: transport})
//
// It is part of a program built with the tag "rclgo" in a sourced ROS 2
// environment; in any other program [New] answers [ErrNotBuiltIn]:
//
//	. /opt/ros/humble/setup.sh && . scripts/rclgo-flags.sh && go build -tags rclgo ./cmd/epuck-driver
//
// Above this package nothing changes. Messages stay those of the program and are
// handed over in their encoded form, so no C binding of a message is compiled
// in: of each type only the type support is loaded, at run time, from the ROS 2
// installation. rcl can send no service in its encoded form, so requests and
// replies pass through the C structure of their type.
//
// What is different from the transport of package rmw lies in rcl:
//
//   - a type must be installed (ros-$ROS_DISTRO-<package>), else [ErrType];
//   - the network is seen once a node was added;
//   - a message tells when it was sent, not by whom: [ros2.MessageInfo]'s
//     Publisher is zero, and Sequence counts what the subscription took;
//   - in ROS 2 Humble the graph has no type hashes, and the graph names neither
//     the identity nor the quality of service of services and clients;
//   - Cork and Uncork do nothing: rcl packs no messages together.
//
// Files fault_*.go each hold what makes up for one fault of rclgo.
package rclgo
