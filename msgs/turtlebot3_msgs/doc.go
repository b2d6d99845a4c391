// SPDX-License-Identifier: Apache-2.0

// Package turtlebot3_msgs has the messages that only a TurtleBot3's node publishes.
package turtlebot3_msgs
