// SPDX-License-Identifier: Apache-2.0

// Package testdefs has definitions for testing the generator, with every base type in every container. Their fields are
// those of ROS 2's test_msgs, so their type hashes are known; the default values differ.
package testdefs

//go:generate go run ../msggen github.com/epuck-ros2/epuck-driver/msgs/internal/testdefs
