// SPDX-License-Identifier: Apache-2.0

// Package chips implements the parts, in the sense of package parts, of the robot's optional chips: IMU and
// magnetometer, time-of-flight and ground sensors, the camera's sensor, LEDs, batteries, button. Each writes its
// measurement to a [table.Reading], corrected, in SI units and in the robot's axes. The chips do not know topics, and
// use only the [Host] of the robot.
package chips
