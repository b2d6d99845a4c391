// SPDX-License-Identifier: Apache-2.0

// Package epuck2 describes the e-puck2 for ROS users, in SI units but without ROS: the frames of its sensors, the model
// of its wheels, the conversion of its sensors' readings, and its URDF. It only computes.
package epuck2
