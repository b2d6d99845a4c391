// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	// gravity is 1 g, m/s².
	gravity = 9.80665
	// gyroUnit is a count of the turning rate, rad/s.
	gyroUnit = math.Pi / 180 / 131
	// fieldUnit is the unit of the field, T.
	fieldUnit = 1e-6
	// frozenLimit is the number of equal samples in a row after which the IMU counts as frozen: noise changes some value
	// in every sample.
	frozenLimit = 20
	// staleFields is the number of samples in a row without a new field after which that is an error.
	staleFields = 40
)

// errNoField is matched when the robot's magnetometer has measured nothing.
var errNoField = errors.New("wifi: no magnetometer")

// inertial is the IMU. Its values are those of the firmware, in the chip's axes again, which a parameter turns to the
// robot's.
type inertial struct {
	sensor
	calibrator imu.Calibrator
	rotation   axes.Rotation
	bandwidth  float64 // Hz, of the noise before a calibration
	sample     imu.Reading
	old        raw
	same       int // equal samples in a row

	magPeriod time.Duration // 0: the magnetometer is not used
	magDue    time.Time
	field     imu.Field
	oldField  [3]float32
	haveField bool
	sameField int // samples in a row without a new field, when one was due
}

// raw is a sample as the firmware sends it.
type raw struct {
	accel, gyro [3]int16
	temperature int8
}

var _ hardware.IMU = (*inertial)(nil)

func newIMU(r *Robot, o *hardware.Options) (*inertial, error) {
	m := &inertial{calibrator: imu.NewCalibrator(), rotation: o.IMURotation, bandwidth: hardware.IMUBandwidth(o.IMURate)}
	if o.MagRate > 0 {
		m.magPeriod = time.Duration(float64(time.Second) / o.MagRate)
	}
	return m, m.init(r, "IMU", nil, device.Opts{})
}

// Poll implements hardware.IMU. A sample that equals the previous one is not a new one.
func (m *inertial) Poll(now time.Time) (u imu.Update, err error) {
	had := m.have
	fresh, err := m.poll(now)
	if had && !m.have {
		m.forget()
	}
	if !fresh {
		return u, err
	}
	p := &m.latest
	next := raw{p.Accel, p.Gyro, p.Temperature}
	if m.have && next == m.old {
		m.used = m.count
		if m.same++; m.same >= frozenLimit {
			m.forget()
			return u, m.chip.Lost(now, fmt.Errorf("wifi: %w: the same sample %d times", device.ErrFrozen, m.same+1))
		}
	} else {
		m.old, m.same = next, 0
		m.sample = imu.Reading{
			Accel: m.rotation.Apply(chipAccel(p.Accel)), Gyro: m.rotation.Apply(chipGyro(p.Gyro)), Temperature: float64(p.Temperature),
		}
		m.calibrator.Add(&m.sample)
		m.accept()
		u.Sample = true
	}
	u.Field, err = m.measureField(now)
	return u, err
}

// measureField takes a new field at the magnetometer's rate. The error is of a magnetometer that measures nothing new.
func (m *inertial) measureField(now time.Time) (fresh bool, err error) {
	f := m.latest.Field
	if !m.HasMagnetometer() || now.Before(m.magDue.Add(-m.magPeriod/4)) {
		return false, nil
	}
	if f == [3]float32{} || f == m.oldField || !finite(f) {
		if m.sameField++; m.sameField < staleFields {
			return false, nil
		}
		m.sameField = 0
		return false, fmt.Errorf("wifi: magnetometer: %w: nothing new in %d samples, the last is %v µT", device.ErrFrozen, staleFields, f)
	}
	if m.magDue = m.magDue.Add(m.magPeriod); m.magDue.Before(now) {
		m.magDue = now.Add(m.magPeriod)
	}
	m.oldField, m.haveField, m.sameField = f, true, 0
	// The magnetometer is mounted turned: its x is the accelerometer's y, its z points down.
	x, y, z := float64(f[0])*fieldUnit, float64(f[1])*fieldUnit, float64(f[2])*fieldUnit
	m.field.Field = m.rotation.Apply([3]float64{y, x, -z})
	return true, nil
}

// finite reports whether a field is one: a packet may hold any bits.
func finite(field [3]float32) bool {
	sum := float64(field[0]) + float64(field[1]) + float64(field[2])
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// forget discards what was measured before the robot was lost.
func (m *inertial) forget() {
	m.have, m.haveField, m.same, m.sameField, m.oldField = false, false, 0, 0, [3]float32{}
	m.calibrator.Abort()
}

// Sense implements hardware.IMU.
func (m *inertial) Sense(to *imu.Reading) error {
	if err := m.chip.Readable(m.have); err != nil {
		return err
	}
	*to = m.sample
	m.calibrator.Apply(to)
	return nil
}

// SenseField implements hardware.IMU.
func (m *inertial) SenseField(to *imu.Field) error {
	if m.State() == device.Running && !m.HasMagnetometer() {
		return errNoField
	}
	*to = m.field
	return m.chip.Readable(m.haveField)
}

// HasMagnetometer implements hardware.IMU.
func (m *inertial) HasMagnetometer() bool {
	if m.State() != device.Running || m.magPeriod == 0 {
		return false
	}
	r := m.robot
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.field
}

// Noise implements hardware.IMU. Before a calibration it is that of an MPU-9250, whatever chip is in the robot.
func (m *inertial) Noise() (accel, gyro [3]float64) {
	return m.calibrator.Noise(imu.MPU9250, m.bandwidth)
}

// Calibration implements hardware.IMU.
func (m *inertial) Calibration() (imu.Calibration, error) { return m.calibrator.Calibration() }

// SetCalibration implements hardware.IMU.
func (m *inertial) SetCalibration(c imu.Calibration) error { return m.calibrator.SetCalibration(c) }

// Calibrate implements hardware.IMU.
func (m *inertial) Calibrate(o imu.CalibrationOpts) error { return m.calibrator.Calibrate(o) }

// Halt ends the measurements until the next Poll.
func (m *inertial) Halt() error {
	m.forget()
	return m.sensor.Halt()
}

// chipAccel inverts the firmware's conversion (e_acc.c, e_get_acc): m/s² in the chip's axes. Its offset, found on level
// ground, is lost.
func chipAccel(a [3]int16) [3]float64 {
	g := func(v int16) float64 { return float64(v) / packet.OneG * gravity }
	return [3]float64{-g(a[0]), g(a[1]), float64(2*gravity) - g(a[2])}
}

// chipGyro inverts the firmware's conversion (e_lsm330.c, getAllAxesGyro): rad/s in the chip's axes.
func chipGyro(g [3]int16) [3]float64 {
	return [3]float64{float64(g[1]) * gyroUnit, -float64(g[0]) * gyroUnit, float64(g[2]) * gyroUnit}
}
