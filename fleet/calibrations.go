// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/devices"
)

// calibrationsTime is how long results of calibrations are collected for one log line, of the fleet's clock.
const calibrationsTime = time.Second

// calibrations collects the results of the robots' IMU calibrations for one log line instead of one per robot. The
// zero value is ready; it is safe for concurrent use.
type calibrations struct {
	mu    sync.Mutex
	found []calibrated
	since time.Time // first call of report after the first result
}

// calibrated is the result of one robot.
type calibrated struct {
	log  *slog.Logger // the robot's
	bias [3]float64   // rad/s
	err  error
}

// of returns a function that adds the result of the robot with a logger.
func (c *calibrations) of(log *slog.Logger) func(bias [3]float64, err error) {
	return func(bias [3]float64, err error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.found = append(c.found, calibrated{log, bias, err})
	}
}

// report logs the collected results when calibrationsTime has passed. It does not allocate if there are none.
func (c *calibrations) report(now time.Time, log *slog.Logger) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case len(c.found) == 0:
		return
	case c.since.IsZero():
		c.since = now
		return
	case now.Sub(c.since) < calibrationsTime:
		return
	}
	c.write(log)
}

// end logs the remaining results.
func (c *calibrations) end(log *slog.Logger) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.write(log)
}

// write logs the collected results: a single one with its robot's logger, more of them as a summary.
func (c *calibrations) write(log *slog.Logger) {
	found := c.found
	c.found, c.since = nil, time.Time{}
	if len(found) == 1 {
		devices.LogCalibration(found[0].log, slog.LevelInfo, found[0].bias, found[0].err)
		return
	}
	var failed error
	failures, greatest := 0, 0.
	for i := range found {
		if found[i].err != nil {
			failed = found[i].err
			failures++
		}
		for _, v := range found[i].bias {
			greatest = max(greatest, math.Abs(v))
		}
	}
	if n := len(found) - failures; n > 0 {
		log.Info("IMUs calibrated", "robots", n, "greatest_gyro_bias_rad_s", greatest)
	}
	if failures > 0 {
		log.Info("IMUs are not calibrated yet: the robots must stand still for two seconds", "robots", failures, "error", failed)
	}
}
