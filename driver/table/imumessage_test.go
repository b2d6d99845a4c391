// SPDX-License-Identifier: Apache-2.0

package table

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// REP 145: gravity is included, orientation is not, each covariance is diagonal.
func TestIMUMessage(t *testing.T) {
	r := &Reading{IMU: IMUReading{
		Accel: [3]float64{0.1, 0.2, 9.8}, Gyro: [3]float64{1, 2, 3},
		AccelVar: [3]float64{4, 5, 6}, GyroVar: [3]float64{7, 8, 9},
	}}
	r.IMU.Stamp.Sec, r.Mag.Stamp.Sec = 3, 3
	var m sensor_msgs.Imu
	if !newInertial("r1/imu_link")(&m, r) || m.Header.FrameID != "r1/imu_link" || m.Header.Stamp.Sec != 3 {
		t.Errorf("header %+v", m.Header)
	}
	if m.OrientationCovariance[0] != -1 {
		t.Error("the unknown orientation is not marked")
	}
	a, w := m.LinearAcceleration, m.AngularVelocity
	if [3]float64{a.X, a.Y, a.Z} != r.IMU.Accel || [3]float64{w.X, w.Y, w.Z} != r.IMU.Gyro {
		t.Errorf("acceleration %+v, rate %+v", a, w)
	}
	if m.LinearAccelerationCovariance != [9]float64{0: 4, 4: 5, 8: 6} || m.AngularVelocityCovariance != [9]float64{0: 7, 4: 8, 8: 9} {
		t.Errorf("covariances %v, %v", m.LinearAccelerationCovariance, m.AngularVelocityCovariance)
	}
}

func TestMagneticFieldMessage(t *testing.T) {
	var m sensor_msgs.MagneticField
	r := &Reading{Mag: MagReading{Field: [3]float64{1e-5, 2e-5, -4e-5}, Variance: 2e-13}}
	if !newMagneticField("imu_link")(&m, r) || m.MagneticField.X != 1e-5 || m.MagneticField.Y != 2e-5 || m.MagneticField.Z != -4e-5 ||
		m.MagneticFieldCovariance != [9]float64{0: 2e-13, 4: 2e-13, 8: 2e-13} || m.Header.FrameID != "imu_link" {
		t.Errorf("%+v", m)
	}
}
