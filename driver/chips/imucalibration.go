// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
)

const (
	// calibrationSpan is how long a calibration averages, and leastSamples how many samples it takes at the least.
	calibrationSpan = 1250 * time.Millisecond
	leastSamples    = 20
	// restTime is how long the wheels must stand before a calibration: the robot rocks when it stops. A calibration
	// that failed by itself is tried again after retryTime.
	restTime  = 500 * time.Millisecond
	retryTime = 5 * time.Second
)

// ErrFailed is matched when a chip was asked for something and did not do it.
var ErrFailed = errors.New("driver: not done")

// Calibrated is an IMU that can be calibrated; [imu.Dev] is one.
type Calibrated interface {
	State() device.State
	Noise() (accel, gyro [3]float64)
	Calibration() (imu.Calibration, error)
	SetCalibration(c imu.Calibration) error
	Calibrate(o imu.CalibrationOpts) error
}

// IMUCalibration finds the gyroscope's bias whenever the robot stands and it is not known yet, and when it is asked to.
// It belongs to the goroutine that polls the IMU.
//
// The gyroscope can't tell a slow turn from its bias, the wheels can: a calibration during which they turned does not
// count.
type IMUCalibration struct {
	dev  Calibrated
	host Host

	since   time.Time // the wheels stand since; zero while they turn
	next    time.Time // not before
	running bool
	done    bool            // the present bias was found by a calibration
	before  imu.Calibration // what was in use when it began
	samples int
	asked   chan<- error // who waits for the next one; holds one
	told    bool         // that it fails
}

// NewIMUCalibration makes the calibration of an IMU that is read at a rate in Hz. Of the host it uses Standing and Log.
func NewIMUCalibration(dev Calibrated, rate float64, host Host) IMUCalibration {
	return IMUCalibration{dev: dev, host: host, samples: max(leastSamples, int(rate*calibrationSpan.Seconds()))}
}

// Ask has the bias measured anew as soon as the robot has stood still; outcome, which must not block, is told what came
// of it.
func (c *IMUCalibration) Ask(outcome chan<- error) { c.asked = outcome }

// Running reports whether a calibration is under way: it needs the IMU's samples.
func (c *IMUCalibration) Running() bool { return c.running }

// Busy reports whether the calibration needs the IMU's samples: it is under way, asked for or not yet done.
func (c *IMUCalibration) Busy() bool { return c.running || c.asked != nil || !c.done }

// Advance goes on with a calibration, or begins one.
func (c *IMUCalibration) Advance(now time.Time) {
	if !c.host.Standing() {
		c.since = time.Time{}
	} else if c.since.IsZero() {
		c.since = now
	}
	switch still := !c.since.IsZero() && now.Sub(c.since) >= restTime; {
	case c.running:
		c.finish(now)
	case still && c.dev.State() == device.Running && (c.asked != nil || !c.done && !now.Before(c.next)):
		c.begin()
	}
}

func (c *IMUCalibration) begin() {
	if c.before, _ = c.dev.Calibration(); !c.done {
		c.before.AccelVariance, c.before.GyroVariance = c.dev.Noise()
	}
	if err := c.dev.Calibrate(imu.CalibrationOpts{Samples: c.samples}); err != nil {
		c.answer(err)
		return
	}
	c.running = true
}

// finish looks whether the calibration under way has ended, and how.
func (c *IMUCalibration) finish(now time.Time) {
	_, err := c.dev.Calibration()
	if errors.Is(err, imu.ErrCalibrating) && !c.since.IsZero() {
		return
	}
	c.running = false
	if c.since.IsZero() {
		err = fmt.Errorf("%w: the wheels turned during the calibration", ErrFailed)
		c.restore()
	}
	if err == nil {
		c.done = true
		found, _ := c.dev.Calibration()
		c.host.Log.Info("IMU calibrated", "gyro_bias_rad_s", found.GyroBias)
	} else if c.next = now.Add(retryTime); !c.told && c.asked == nil {
		c.told = true
		c.host.Log.Info("the IMU is not calibrated yet: the robot must stand still for two seconds", "error", err)
	}
	c.answer(err)
}

// restore takes back what a spoiled calibration may have found, or would find.
func (c *IMUCalibration) restore() {
	if err := c.dev.SetCalibration(c.before); err != nil {
		c.host.Log.Error("the IMU keeps a bad calibration", "error", err) // it was in use before
	}
}

func (c *IMUCalibration) answer(err error) {
	if c.asked != nil {
		c.asked <- err
		c.asked = nil
	}
}
