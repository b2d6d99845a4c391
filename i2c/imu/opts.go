// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	device.Opts
	// Rotation converts the chip's axes to the robot's. It defaults to [DefaultRotation].
	Rotation axes.Rotation
	// AccelRange is the full scale of the accelerometer in g: 2, 4, 8 or 16. It defaults to 2.
	AccelRange int
	// GyroRange is the full scale of the gyroscope in °/s: 250, 500, 1000 or 2000. It defaults to 500, since the robot
	// can turn at 300.
	GyroRange int
	// Rate is the chip's sample rate, Hz, 5 to 500, rounded to the nearest it supports. It defaults to 100. More
	// frequent polls find no new sample.
	Rate float64
	// Bandwidth is that of the chip's low-pass filters, Hz, 5 to 200, rounded to the nearest each sensor supports. It
	// defaults to 0.45 times the rate.
	Bandwidth float64
	// NoMagnetometer disables the magnetometer, and with it the auxiliary bus.
	NoMagnetometer bool
	// MagRate is how often the magnetometer is read, Hz, at most 100. It defaults to 8.
	MagRate float64
	// CheckInterval is the time between two read-backs of the configuration, which detect a reset: until then the
	// samples of a chip that was reset may have another scale. It defaults to 250 ms.
	CheckInterval time.Duration
}

// withDefaults returns the options with all defaults filled in, or an error that names the first invalid one.
func (o *Opts) withDefaults() (Opts, error) {
	var r Opts
	if o != nil {
		r = *o
	}
	if r.Rotation == (axes.Rotation{}) {
		r.Rotation = DefaultRotation()
	}
	r.AccelRange = orDefault(r.AccelRange, 2)
	r.GyroRange = orDefault(r.GyroRange, 500)
	r.Rate = orDefault(r.Rate, 100)
	r.Bandwidth = orDefault(r.Bandwidth, min(max(0.45*r.Rate, 5), 200))
	r.MagRate = orDefault(r.MagRate, 8)
	r.CheckInterval = orDefault(r.CheckInterval, 250*time.Millisecond)
	return r, r.check()
}

func (o *Opts) check() error {
	if err := o.Rotation.Check(); err != nil {
		return fmt.Errorf("%w: Rotation: %w", device.ErrOption, err)
	}
	if rangeCode(o.AccelRange, 2) < 0 {
		return fmt.Errorf("%w: AccelRange %d is none of 2, 4, 8, 16 g", device.ErrOption, o.AccelRange)
	}
	if rangeCode(o.GyroRange, 250) < 0 {
		return fmt.Errorf("%w: GyroRange %d is none of 250, 500, 1000, 2000 °/s", device.ErrOption, o.GyroRange)
	}
	for _, c := range []struct {
		name       string
		v, min, to float64
	}{{"Rate", o.Rate, 5, 500}, {"Bandwidth", o.Bandwidth, 5, 200}, {"MagRate", o.MagRate, 0.1, 100}} {
		if !(c.v >= c.min && c.v <= c.to) {
			return fmt.Errorf("%w: %s %g Hz is not within %g and %g", device.ErrOption, c.name, c.v, c.min, c.to)
		}
	}
	if o.CheckInterval < 0 {
		return fmt.Errorf("%w: CheckInterval %v is negative", device.ErrOption, o.CheckInterval)
	}
	return nil
}

// rangeCode returns the two bits of a full scale: the smallest one times 1, 2, 4 or 8; −1 if it is none of them.
func rangeCode(full, smallest int) int {
	for code := range 4 {
		if full == smallest<<code {
			return code
		}
	}
	return -1
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
