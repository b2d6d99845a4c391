// SPDX-License-Identifier: Apache-2.0

package robot

// Errors of the robot's IMU at rest, an MPU-9250 as the driver configures it [InvenSense, PS-MPU-9250A-01, 3.1 and
// 3.2].
const (
	// AccelNoiseDensity is the noise density of an axis of the accelerometer, m/s²/√Hz: 300 µg/√Hz.
	AccelNoiseDensity = 300 * standardGravity / 1_000_000
	// GyroNoiseDensity is the noise density of an axis of the gyroscope, rad/s/√Hz: 0.01 °/s/√Hz.
	GyroNoiseDensity = 0.01 * degree
	// AccelBias is the greatest bias of an axis of the accelerometer, m/s². All up to it are equally frequent. Assumed:
	// the data sheet has 60 mg and 80 mg as the tolerance of a chip that was not calibrated.
	AccelBias = 40 * standardGravity / 1000
	// GyroBias is the same of the gyroscope, rad/s; the data sheet has 5 °/s.
	GyroBias = 3 * degree
	// AccelRange is the greatest acceleration that is measured, m/s²: ±2 g.
	AccelRange = 2 * standardGravity
	// GyroRange is the greatest angular velocity that is measured, rad/s: ±500 °/s.
	GyroRange = 500 * degree
	// InertialCounts is how many counts of the converters the ranges are.
	InertialCounts = 32768

	// standardGravity is the standard acceleration of free fall, m/s².
	standardGravity = 9.80665
)
