// SPDX-License-Identifier: Apache-2.0

// Package testdefs exercises the generator: the definitions below it have
// every base type in every container, which the interfaces of a robot do not.
// They have the fields of ROS 2's own test_msgs, so their type hashes are
// known; the default values are ours.
package testdefs

//go:generate go run ../msggen github.com/epuck-ros2/epuck-driver/msgs/internal/testdefs
