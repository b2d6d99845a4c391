// SPDX-License-Identifier: Apache-2.0

// Package shell is a set of command-line tools for any ROS 2 network: topics,
// nodes, services and parameters are listed, shown, published, called and set,
// with the arguments and the output of the ros2 command of ROS 2 Humble, on
// machines where that is not installed.
//
// The network and the message types are given by [Env]; other types are requested from the nodes that use them, which
// ROS 2 Iron and later support.
package shell
