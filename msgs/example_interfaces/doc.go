// SPDX-License-Identifier: Apache-2.0

// Package example_interfaces has the action of ROS 2's examples and tutorials.
package example_interfaces
