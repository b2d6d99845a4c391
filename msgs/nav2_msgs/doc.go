// SPDX-License-Identifier: Apache-2.0

// Package nav2_msgs has the navigation actions of Nav2 in ROS 2 Humble.
package nav2_msgs
