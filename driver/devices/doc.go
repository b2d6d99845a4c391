// SPDX-License-Identifier: Apache-2.0

// Package devices implements the parts, in the sense of package parts, of the robot's optional devices: IMU and
// magnetometer, time-of-flight and ground sensors, the camera's sensor, LEDs, batteries, button. Each writes the
// measurements of a device of package hardware to a [table.Reading], corrected, in SI units and in the robot's axes.
// The parts do not know topics, and use only the [Host] of the robot.
package devices
