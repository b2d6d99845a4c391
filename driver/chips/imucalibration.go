// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"errors"
	"fmt"
	"log/slog"
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

// imuCalibration finds the gyroscope's bias whenever the robot stands and it is not known yet, and when it is asked to.
// It belongs to the bus goroutine.
//
// The gyroscope can't tell a slow turn from its bias, the wheels can: a calibration during which they turned does not
// count.
type imuCalibration struct {
	dev      *imu.Dev
	standing func() bool
	log      *slog.Logger

	since   time.Time // the wheels stand since; zero while they turn
	next    time.Time // not before
	running bool
	done    bool            // the present bias was found by a calibration
	before  imu.Calibration // what was in use when it began
	samples int
	asked   chan<- error // who waits for the next one; holds one
	told    bool         // that it fails
}

// busy reports whether the calibration needs the IMU's samples: it is under way, asked for or not yet done.
func (c *imuCalibration) busy() bool { return c.running || c.asked != nil || !c.done }

// advance goes on with a calibration, or begins one.
func (c *imuCalibration) advance(now time.Time) {
	if !c.standing() {
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

func (c *imuCalibration) begin() {
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
func (c *imuCalibration) finish(now time.Time) {
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
		c.log.Info("IMU calibrated", "gyro_bias_rad_s", found.GyroBias)
	} else if c.next = now.Add(retryTime); !c.told && c.asked == nil {
		c.told = true
		c.log.Info("the IMU is not calibrated yet: the robot must stand still for two seconds", "error", err)
	}
	c.answer(err)
}

// restore takes back what a spoiled calibration may have found, or would find.
func (c *imuCalibration) restore() {
	if err := c.dev.SetCalibration(c.before); err != nil {
		c.log.Error("the IMU keeps a bad calibration", "error", err) // it was in use before
	}
}

func (c *imuCalibration) answer(err error) {
	if c.asked != nil {
		c.asked <- err
		c.asked = nil
	}
}
