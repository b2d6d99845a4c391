// SPDX-License-Identifier: Apache-2.0

// Package chips makes parts, in the sense of package parts, of the robot's chips that may be missing: IMU and
// magnetometer, time-of-flight and ground sensors, the camera's sensor, LEDs, batteries, button. Each is polled when
// its turn comes and leaves what it measured in a [table.Reading], corrected, in SI units and in the robot's axes. The
// topics are not theirs, and of the robot they are on they know its [Host] alone.
package chips
