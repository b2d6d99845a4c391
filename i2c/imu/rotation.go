// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// DefaultRotation returns the rotation of the chip in an e-puck2, see [robot.IMURotation].
func DefaultRotation() axes.Rotation { return robot.IMURotation() }
