// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
)

const (
	// calibrationSpan is the duration of a calibration, leastSamples the minimum number of samples.
	calibrationSpan = 1250 * time.Millisecond
	leastSamples    = 20
	// restTime is how long the wheels must be at rest before a calibration: the robot rocks when it stops. An automatic
	// calibration that failed is retried after retryTime.
	restTime  = 500 * time.Millisecond
	retryTime = 5 * time.Second
)

// ErrFailed is matched when a device did not do what was requested.
var ErrFailed = errors.New("driver: request failed")

// imuCalibration measures the gyroscope's bias when the robot is at rest and the bias is unknown, and on request. It
// belongs to the goroutine that polls the IMU.
//
// The gyroscope can't distinguish a slow turn from its bias, but the wheels can: a calibration during which they turned
// is discarded.
type imuCalibration struct {
	dev  hardware.Calibrated
	host Host

	since   time.Time // start of the rest; zero while the wheels turn
	next    time.Time // earliest next start
	running bool
	done    bool            // the current bias was found by a calibration
	before  imu.Calibration // in use when the calibration began
	samples int
	asked   chan<- error // receives the next result; capacity 1
	logged  bool         // a failure was logged
}

// newIMUCalibration returns the calibration of an IMU that is read at a rate in Hz.
func newIMUCalibration(dev hardware.Calibrated, rate float64, host Host) imuCalibration {
	return imuCalibration{dev: dev, host: host, samples: max(leastSamples, int(rate*calibrationSpan.Seconds()))}
}

// ask requests a new calibration when the robot has been at rest; the result is sent to outcome, which must not block.
func (c *imuCalibration) ask(outcome chan<- error) { c.asked = outcome }

// busy reports whether the calibration is running, or could begin: it is requested or not done yet, and the robot is at
// rest.
func (c *imuCalibration) busy() bool {
	return c.running || (c.asked != nil || !c.done) && c.host.AtRest()
}

// moved ends the rest before a calibration, as advance does while the robot moves.
func (c *imuCalibration) moved() {
	if !c.running {
		c.since = time.Time{}
	}
}

// advance advances a calibration, or begins one.
func (c *imuCalibration) advance(now time.Time) {
	if !c.host.AtRest() {
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

// finish checks whether the calibration has ended, and handles its result.
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
		c.report(found.GyroBias, nil)
	} else if c.next = now.Add(retryTime); !c.logged && c.asked == nil {
		c.logged = true
		c.report([3]float64{}, err)
	}
	c.answer(err)
}

// report logs a result, or passes it to the host, of which one may have many robots.
func (c *imuCalibration) report(bias [3]float64, err error) {
	level := slog.LevelInfo
	if c.host.Calibrated != nil && c.asked == nil {
		level = slog.LevelDebug
		c.host.Calibrated(bias, err)
	}
	LogCalibration(c.host.Log, level, bias, err)
}

// LogCalibration logs the result of a calibration of the IMU: the gyroscope's bias in rad/s or an error.
func LogCalibration(log *slog.Logger, level slog.Level, gyroBias [3]float64, err error) {
	if err != nil {
		log.Log(context.Background(), level, "the IMU is not calibrated yet: the robot must stand still for two seconds", "error", err)
		return
	}
	log.Log(context.Background(), level, "IMU calibrated", "gyro_bias_rad_s", gyroBias)
}

// restore restores the calibration before a disturbed one.
func (c *imuCalibration) restore() {
	if err := c.dev.SetCalibration(c.before); err != nil {
		c.host.Log.Error("can't restore the IMU's calibration", "error", err) // it was in use before
	}
}

func (c *imuCalibration) answer(err error) {
	if c.asked != nil {
		c.asked <- err
		c.asked = nil
	}
}
