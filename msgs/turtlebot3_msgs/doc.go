// SPDX-License-Identifier: Apache-2.0

// Package turtlebot3_msgs holds what a TurtleBot3's own node publishes beside the types that all robots have.
package turtlebot3_msgs
