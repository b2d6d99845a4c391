// SPDX-License-Identifier: Apache-2.0

// Package sensor_msgs has the messages of sensors and cameras, in SI units (REP 103, 117, 138, 145), in the layout of
// ROS 2 Humble. Package jazzy below it has those that later releases changed.
package sensor_msgs
