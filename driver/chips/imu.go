// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
)

const (
	// imuChipRate is the minimum sampling rate of the chip, Hz. It samples at twice the rate at which it is read, so
	// that a sample is at most half a period old.
	imuChipRate = 100
	// imuBandwidth is the bandwidth of the chip's filters as a share of the rate at which it is read, which prevents
	// aliasing of vibration; leastBandwidth is its minimum, Hz.
	imuBandwidth   = 0.45
	leastBandwidth = 10
)

// IMUBandwidth returns the bandwidth of the chip's filters for a rate at which it is read, both in Hz.
func IMUBandwidth(rate float64) float64 { return max(leastBandwidth, imuBandwidth*rate) }

// IMU is the part of the IMU, with its calibration.
type IMU struct {
	*imu.Dev
	cal    IMUCalibration
	host   Host
	into   *table.Reading
	sample imu.Reading
	field  imu.Field
	fresh  bool // field is not yet published
}

// NewIMU returns the part of the IMU on a bus, which measures into the reading.
func NewIMU(bus i2c.Bus, set *table.Settings, r *table.Reading, host Host) (*IMU, error) {
	rotation, err := axes.RotationOf(set.IMURotation[:])
	if err != nil {
		return nil, err
	}
	opts := imu.Opts{
		Rotation: rotation, Rate: max(imuChipRate, 2*set.IMURate), Bandwidth: IMUBandwidth(set.IMURate),
		NoMagnetometer: set.MagRate == 0,
	}
	opts.Budget = parts.PollTransactions
	if set.MagRate > 0 {
		opts.MagRate = max(set.MagRate, 0.1)
	}
	dev, err := imu.New(bus, 0, &opts)
	if err != nil {
		return nil, err
	}
	p := &IMU{Dev: dev, host: host, into: r}
	p.cal = NewIMUCalibration(dev, set.IMURate, host)
	return p, nil
}

// Calibrating reports whether the calibration needs the IMU's samples: it is running, requested or not done yet.
func (p *IMU) Calibrating() bool { return p.cal.busy() }

// Calibrate measures the gyroscope's bias again when the robot has been at rest; the result is sent to outcome, which
// must not block. It belongs to the polling goroutine.
func (p *IMU) Calibrate(outcome chan<- error) { p.cal.Ask(outcome) }

// Magnetometer is the magnetometer inside or behind the IMU, as a separate part.
func (p *IMU) Magnetometer() parts.Part { return imuField{p} }

// FieldNews reports whether its magnetometer has an unpublished measurement.
func (p *IMU) FieldNews() bool { return p.fresh }

// Measure polls the IMU and advances its calibration.
func (p *IMU) Measure(now time.Time) (news bool, err error) {
	set, r := p.host.Corrections(), p.into
	update, err := p.Poll(now)
	p.cal.Advance(now)
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
