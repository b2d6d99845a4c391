// SPDX-License-Identifier: Apache-2.0

// Package shell implements command-line tools for any ROS 2 network: they list, show, publish, call and set topics,
// nodes, services, actions and parameters, with the arguments and output of the ros2 command of ROS 2 Humble, on
// machines without it.
//
// [Env] provides the network and the message types; other types are requested from the nodes that use them, if these
// are of ROS 2 Iron or later.
package shell
