// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// imuReading is the last measurement of the IMU in the robot's axes (REP 103: x forward, y left, z up).
type imuReading struct {
	stamp             builtin_interfaces.Time
	accel, gyro       [3]float64 // m/s² with gravity, rad/s
	accelVar, gyroVar [3]float64 // variances about each axis, the same units squared; 0 unknown
}

// newInertial returns the builder of the IMU's message in the given frame, by REP 145: the acceleration includes
// gravity, and there is no orientation, which its covariance says.
func newInertial(frame string) func(m *sensor_msgs.Imu, r *reading) bool {
	return func(m *sensor_msgs.Imu, r *reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.imu.stamp, frame
		m.Orientation.W = 1
		m.OrientationCovariance[0] = -1
		a, w := &r.imu.accel, &r.imu.gyro
		m.LinearAcceleration.X, m.LinearAcceleration.Y, m.LinearAcceleration.Z = a[0], a[1], a[2]
		m.AngularVelocity.X, m.AngularVelocity.Y, m.AngularVelocity.Z = w[0], w[1], w[2]
		for i := range 3 {
			m.LinearAccelerationCovariance[4*i] = r.imu.accelVar[i]
			m.AngularVelocityCovariance[4*i] = r.imu.gyroVar[i]
		}
		return true
	}
}

// magReading is the last measurement of the magnetometer.
type magReading struct {
	stamp    builtin_interfaces.Time
	field    [3]float64 // T, the robot's axes
	variance float64    // T², of each axis
}

// newMagneticField returns the builder of the magnetometer's message in the given frame.
func newMagneticField(frame string) func(m *sensor_msgs.MagneticField, r *reading) bool {
	return func(m *sensor_msgs.MagneticField, r *reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.mag.stamp, frame
		f := &r.mag.field
		m.MagneticField.X, m.MagneticField.Y, m.MagneticField.Z = f[0], f[1], f[2]
		for i := range 3 {
			m.MagneticFieldCovariance[4*i] = r.mag.variance
		}
		return true
	}
}
