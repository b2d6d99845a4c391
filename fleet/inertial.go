// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// inertial is the IMU of a functional robot.
type inertial struct {
	sensor
	imu.Calibrator
	model     imu.Model
	bandwidth float64       // Hz
	mount     axes.Rotation // from the robot's axes to the chip's
	rotation  axes.Rotation // from the chip's to those of the messages, as a parameter has it
	sample    imu.Reading
	needed    func() bool
	magPeriod time.Duration // 0: the magnetometer is not used
	magNext   every
	field     imu.Field
}

var _ hardware.IMU = (*inertial)(nil)

func newInertial(f *functional, o *hardware.Options) *inertial {
	soldered := imu.DefaultRotation()
	i := &inertial{sensor: f.sensor("IMU", world.IMU), Calibrator: imu.NewCalibrator(), model: imu.MPU9250,
		bandwidth: hardware.IMUBandwidth(o.IMURate), needed: o.Needs.IMU, rotation: o.IMURotation, mount: soldered.Inverse()}
	if equipment := f.simulated.Equipment(); equipment.IMU == world.IMUICM20948 {
		i.model = imu.ICM20948
	}
	if o.MagRate > 0 {
		i.magPeriod = ros2.Seconds(1 / o.MagRate)
	}
	f.simulated.Do(func(c *sim.Control) { c.SetIMUBandwidth(i.bandwidth) })
	return i
}

// turn returns a vector of the robot's axes in those of the messages.
func (i *inertial) turn(v [3]float64) [3]float64 { return i.rotation.Apply(i.mount.Apply(v)) }

// Poll implements hardware.IMU.
func (i *inertial) Poll(now time.Time) (u imu.Update, err error) {
	was := i.State() == device.Running
	if !i.poll(now) {
		if was {
			i.Abort()
		}
		return u, nil
	}
	if !i.needed() {
		return u, nil
	}
	u.Sample = true
	u.Field = i.magPeriod > 0 && i.magNext.due(now, i.magPeriod, i.magPeriod/4)
	i.robot.simulated.Do(func(c *sim.Control) {
		accel, gyro := c.Inertial()
		i.sample.Accel, i.sample.Gyro = i.turn(accel), i.turn(gyro)
		if u.Field {
			i.field.Field = i.turn(c.Field())
		}
	})
	i.Add(&i.sample)
	return u, nil
}

// Sense implements hardware.IMU.
func (i *inertial) Sense(to *imu.Reading) error {
	*to = i.sample
	i.Apply(to)
	return nil
}

// SenseField implements hardware.IMU.
func (i *inertial) SenseField(to *imu.Field) error {
	*to = i.field
	return nil
}

// HasMagnetometer implements hardware.IMU.
func (i *inertial) HasMagnetometer() bool { return i.magPeriod > 0 && i.State() == device.Running }

// Noise implements hardware.IMU.
func (i *inertial) Noise() (accel, gyro [3]float64) { return i.Calibrator.Noise(i.model, i.bandwidth) }
