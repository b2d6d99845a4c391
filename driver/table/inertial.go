// SPDX-License-Identifier: Apache-2.0

package table

import (
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// newInertial returns the builder of the IMU's message in the given frame, by REP 145: the acceleration includes
// gravity, and there is no orientation, which its covariance says.
func newInertial(frame string) func(m *sensor_msgs.Imu, r *Reading) bool {
	return func(m *sensor_msgs.Imu, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.IMU.Stamp, frame
		m.Orientation.W = 1
		m.OrientationCovariance[0] = -1
		a, w := &r.IMU.Accel, &r.IMU.Gyro
		m.LinearAcceleration.X, m.LinearAcceleration.Y, m.LinearAcceleration.Z = a[0], a[1], a[2]
		m.AngularVelocity.X, m.AngularVelocity.Y, m.AngularVelocity.Z = w[0], w[1], w[2]
		for i := range 3 {
			m.LinearAccelerationCovariance[4*i] = r.IMU.AccelVar[i]
			m.AngularVelocityCovariance[4*i] = r.IMU.GyroVar[i]
		}
		return true
	}
}

// newMagneticField returns the builder of the magnetometer's message in the given frame.
func newMagneticField(frame string) func(m *sensor_msgs.MagneticField, r *Reading) bool {
	return func(m *sensor_msgs.MagneticField, r *Reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.Mag.Stamp, frame
		f := &r.Mag.Field
		m.MagneticField.X, m.MagneticField.Y, m.MagneticField.Z = f[0], f[1], f[2]
		for i := range 3 {
			m.MagneticFieldCovariance[4*i] = r.Mag.Variance
		}
		return true
	}
}
