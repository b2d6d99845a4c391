// SPDX-License-Identifier: Apache-2.0

// Package epuck2 is what is known of the robot itself, in SI units and without ROS: where its sensors sit, what its
// wheels do, what its sensors' readings mean, and its description for those who draw it. It is mathematics and
// tables.
package epuck2
