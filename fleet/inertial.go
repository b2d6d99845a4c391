// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/devices"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// inertial is the IMU of a functional robot, with the driver's calibration.
type inertial struct {
	imu.Calibrator
	model       imu.Model
	bandwidth   float64       // Hz
	mount       axes.Rotation // from the robot's axes to the chip's
	rotation    axes.Rotation // from the chip's axes to those of the messages, by a parameter
	calibration devices.IMUCalibration
}

var _ hardware.Calibrated = (*inertial)(nil)

// newInertial returns the IMU of a robot, which is read at a rate, Hz.
func newInertial(f *functional, rate float64) (*inertial, error) {
	rotation, err := axes.RotationOf(f.set.IMURotation[:])
	if err != nil {
		return nil, err
	}
	chipRotation := imu.DefaultRotation()
	i := &inertial{Calibrator: imu.NewCalibrator(), model: imu.MPU9250, bandwidth: hardware.IMUBandwidth(rate),
		rotation: rotation, mount: chipRotation.Inverse()}
	if equipment := f.simulated.Equipment(); equipment.IMU == world.IMUICM20948 {
		i.model = imu.ICM20948
	}
	i.calibration = devices.NewIMUCalibration(i, rate, devices.Host{AtRest: f.stopped, Log: f.node.Logger(), Calibrated: f.calibrated})
	f.simulated.Do(func(c *sim.Control) { c.SetIMUBandwidth(i.bandwidth) })
	return i, nil
}

// turn converts a vector from the robot's axes to those of the messages.
func (i *inertial) turn(v [3]float64) [3]float64 { return i.rotation.Apply(i.mount.Apply(v)) }

// State implements hardware.Calibrated: the IMU measures from the start.
func (i *inertial) State() device.State { return device.Running }

// Noise implements hardware.Calibrated.
func (i *inertial) Noise() (accel, gyro [3]float64) { return i.Calibrator.Noise(i.model, i.bandwidth) }

// wanted continues the calibration and reports whether it needs samples.
func (i *inertial) wanted(now time.Time) bool {
	i.calibration.Advance(now)
	return i.calibration.Running()
}

// stopped reports whether the wheels are commanded to stop and have stopped.
func (f *functional) stopped() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent == [2]int16{} && !f.taken.IsZero() && f.reading.Pose.V == 0 && f.reading.Pose.Omega == 0
}

func (f *functional) measureIMU(c *sim.Control, r *table.Reading, now time.Time) {
	var s imu.Reading
	accel, gyro := c.Inertial()
	s.Accel, s.Gyro = f.imu.turn(accel), f.imu.turn(gyro)
	f.imu.Add(&s)
	f.imu.Apply(&s)
	r.IMU.Stamp = builtin_interfaces.TimeOf(now)
	r.IMU.Accel, r.IMU.Gyro = r.Set.Correct.Accel.Apply(s.Accel), r.Set.Correct.Gyro.Apply(s.Gyro)
	r.IMU.AccelVar, r.IMU.GyroVar = f.imu.Noise()
}

// measureField measures the magnetic field with the magnetometer of the IMU.
func (f *functional) measureField(c *sim.Control, r *table.Reading, now time.Time) {
	field := r.Set.Correct.Mag.Apply(f.imu.turn(c.Field()))
	r.Mag = table.MagReading{Stamp: builtin_interfaces.TimeOf(now), Field: field, Variance: imu.MagnetometerVariance}
}
