// SPDX-License-Identifier: Apache-2.0

// Package example_interfaces holds the action that ROS 2's examples and tutorials use.
package example_interfaces
