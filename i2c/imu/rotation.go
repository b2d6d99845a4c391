// SPDX-License-Identifier: Apache-2.0

package imu

import "github.com/epuck-ros2/epuck-driver/i2c/axes"

// DefaultRotation is how the chip sits in an e-puck2: x = −raw y, y = +raw x, z = +raw z. It follows from the maker's
// ROS driver and firmware and has not been tried on a robot: nose up must give a positive x acceleration, turning
// anticlockwise a positive z rate.
func DefaultRotation() axes.Rotation { return axes.Rotation{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}} }
