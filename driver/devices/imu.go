// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
)

// IMU is the part of the IMU, with its calibration.
type IMU struct {
	hardware.IMU
	cal    imuCalibration
	host   Host
	into   *table.Reading
	sample imu.Reading
	field  imu.Field
	fresh  bool // field is not yet published
}

// NewIMU returns the part of an IMU that is polled at a rate in Hz, which measures into the reading.
func NewIMU(dev hardware.IMU, rate float64, r *table.Reading, host Host) *IMU {
	return &IMU{IMU: dev, host: host, into: r, cal: newIMUCalibration(dev, rate, host)}
}

// Calibrating reports whether the calibration needs to be advanced by polls: it is running, or could begin when the
// robot has been at rest for long enough.
func (p *IMU) Calibrating() bool { return p.cal.busy() }

// Sampling reports whether the calibration is running and needs the IMU's samples.
func (p *IMU) Sampling() bool { return p.cal.running }

// Moved must be called when the robot is not at rest any more, because the IMU may not be polled then.
func (p *IMU) Moved() { p.cal.moved() }

// Calibrate measures the gyroscope's bias again when the robot has been at rest; the result is sent to outcome, which
// must not block. It belongs to the polling goroutine.
func (p *IMU) Calibrate(outcome chan<- error) { p.cal.ask(outcome) }

// Magnetometer is the magnetometer inside or behind the IMU, as a separate part.
func (p *IMU) Magnetometer() parts.Part { return imuField{p} }

// FieldNews reports whether its magnetometer has an unpublished measurement.
func (p *IMU) FieldNews() bool { return p.fresh }

// Measure polls the IMU and advances its calibration.
func (p *IMU) Measure(now time.Time) (news bool, err error) {
	set, r := p.host.Corrections(), p.into
	update, err := p.Poll(now)
	p.cal.advance(now)
	if update.Field && p.SenseField(&p.field) == nil {
		// It has the time of this transfer, even if the IMU has no new sample.
		r.Mag = table.MagReading{Stamp: p.host.Stamp(p.host.Now()), Field: set.Mag.Apply(p.field.Field), Variance: imu.MagnetometerVariance}
		p.fresh = true
	}
	if !update.Sample {
		return false, err
	}
	if senseErr := p.Sense(&p.sample); senseErr != nil {
		return false, senseErr
	}
	r.IMU.Accel, r.IMU.Gyro = set.Accel.Apply(p.sample.Accel), set.Gyro.Apply(p.sample.Gyro)
	r.IMU.AccelVar, r.IMU.GyroVar = p.Noise()
	return true, err
}

// imuField is the magnetometer inside or behind the IMU as a separate part. It makes no transactions: its
// measurements are read with the IMU's.
type imuField struct{ imu *IMU }

// State returns Running if the IMU has a responding magnetometer.
func (p imuField) State() device.State {
	if p.imu.HasMagnetometer() {
		return device.Running
	}
	return device.Absent
}

// Measure returns the result of the IMU's poll.
func (p imuField) Measure(time.Time) (news bool, err error) {
	news, p.imu.fresh = p.imu.fresh, false
	return news, nil
}

// String returns the name of the part.
func (p imuField) String() string { return "magnetometer of " + p.imu.String() }

// Halt does nothing: halting the IMU halts it.
func (p imuField) Halt() error { return nil }
