// SPDX-License-Identifier: Apache-2.0

// Package nav2_msgs holds the actions that send a robot to places, as the Nav2 of ROS 2 Humble has them.
package nav2_msgs
