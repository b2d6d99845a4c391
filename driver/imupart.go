// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
)

const (
	// imuChipRate is the least rate at which the chip itself measures, Hz: twice the rate at which it is read, so that
	// a sample is at most half a period old, but not less than this.
	imuChipRate = 100
	// imuBandwidth is the bandwidth of the chip's filters as a share of the rate at which it is read, which keeps
	// vibration from becoming slow motion, and leastBandwidth is the least of it, Hz.
	imuBandwidth   = 0.45
	leastBandwidth = 10
)

// imuPart is the IMU as a part, with its calibration.
type imuPart struct {
	*imu.Dev
	cal    imuCalibration
	used   func() *table.Corrections
	time   func() builtin_interfaces.Time // stamps what was just fetched
	into   *table.Reading
	sample imu.Reading
	field  imu.Field
	fresh  bool // field was not published yet
}

func (d *Driver) newIMUPart(bus i2c.Bus, set *table.Settings, r *table.Reading) (parts.Part, error) {
	rotation, err := axes.RotationOf(set.IMURotation[:])
	if err != nil {
		return nil, err
	}
	opts := imu.Opts{
		Rotation: rotation, Rate: max(imuChipRate, 2*set.IMURate), Bandwidth: max(leastBandwidth, imuBandwidth*set.IMURate),
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
	p := &imuPart{Dev: dev, used: d.corrections, into: r, time: func() builtin_interfaces.Time { return d.stamp(d.clock.Now()) }}
	samples := max(leastSamples, int(set.IMURate*calibrationSpan.Seconds()))
	p.cal = imuCalibration{dev: dev, standing: d.standing, log: d.log, samples: samples}
	d.bus.imu = p
	return p, nil
}

func (p *imuPart) Measure(now time.Time) (news bool, err error) {
	set, r := p.used(), p.into
	update, err := p.Poll(now)
	p.cal.advance(now)
	if update.Field && p.SenseField(&p.field) == nil {
		// It has the time of this transfer, also if the IMU itself has no news.
		r.Mag = table.MagReading{Stamp: p.time(), Field: set.Mag.Apply(p.field.Field), Variance: imu.MagnetometerVariance}
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

// imuField is the magnetometer inside or behind the IMU as a part of its own. It makes no transactions: its
// measurements come with the IMU's.
type imuField struct{ imu *imuPart }

// State says whether the IMU has a magnetometer that answers.
func (p imuField) State() device.State {
	if p.imu.HasMagnetometer() {
		return device.Running
	}
	return device.Absent
}

func (p imuField) Measure(time.Time) (news bool, err error) {
	news, p.imu.fresh = p.imu.fresh, false
	return news, nil
}

func (p imuField) String() string { return "magnetometer of " + p.imu.String() }

// Halt has nothing to do: the IMU's does it.
func (p imuField) Halt() error { return nil }

// corrections gives those in force.
func (d *Driver) corrections() *table.Corrections { return &d.settings.Load().Correct }

// standing reports whether the wheels are known to stand. Counters that stay as they are prove that only of wheels that
// listen: those of a robot that has just started could begin to turn. It belongs to the bus goroutine.
func (d *Driver) standing() bool {
	b := &d.bus
	return !b.wheels.Lost && !b.taken.IsZero() && b.wheels.WheelsListen && b.wheels.Sent == wheels.Speeds{} && b.reading.Pose.V == 0 && b.reading.Pose.Omega == 0
}
