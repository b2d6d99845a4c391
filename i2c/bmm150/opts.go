// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Preset is a number of repetitions per measurement, as recommended by Bosch.
type Preset uint8

// The presets. The noise is that of one measurement.
const (
	Regular      Preset = iota // 0.6 µT
	LowPower                   // 1.0 µT
	Enhanced                   // 0.5 µT
	HighAccuracy               // 0.3 µT, at most 15 Hz
	numPresets
)

var presets = [numPresets]struct {
	name  string
	xy, z byte // registers: 1+2·xy and 1+z repetitions
	rms   float64
}{
	{"regular", 0x04, 0x0E, 0.6e-6}, {"low_power", 0x01, 0x02, 1.0e-6},
	{"enhanced", 0x07, 0x1A, 0.5e-6}, {"high_accuracy", 0x17, 0x52, 0.3e-6},
}

// String returns the name of the preset.
func (p Preset) String() string {
	if p < numPresets {
		return presets[p].name
	}
	return fmt.Sprintf("preset %d", uint8(p))
}

// Variance is the variance of a measurement per axis, T², from the data sheet.
func (p Preset) Variance() float64 { return presets[p].rms * presets[p].rms }

// Bounds of a rate, Hz.
const (
	minRate = 0.1
	maxRate = 30.0
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	device.Opts
	// Rotation converts the chip's axes to the robot's. It defaults to none: the mounting of the add-on is not fixed.
	Rotation axes.Rotation
	// Preset defaults to Regular.
	Preset Preset
	// Rate is the maximum rate, Hz, from 0.1 to 30. It defaults to 10.
	Rate float64
}

// withDefaults returns the options with all defaults filled in, or an error that names the first invalid one.
func (o *Opts) withDefaults() (Opts, error) {
	var r Opts
	if o != nil {
		r = *o
	}
	if r.Rotation == (axes.Rotation{}) {
		r.Rotation = axes.Identity()
	}
	if r.Rate == 0 {
		r.Rate = 10
	}
	switch {
	case r.Preset >= numPresets:
		return r, fmt.Errorf("%w: Preset: %v", device.ErrOption, r.Preset)
	case !(r.Rate >= minRate && r.Rate <= maxRate):
		return r, fmt.Errorf("%w: Rate %v Hz is not within %v and %v", device.ErrOption, r.Rate, minRate, maxRate)
	case r.Preset == HighAccuracy && r.Rate > 15:
		return r, fmt.Errorf("%w: Rate %v Hz is more than 15, the maximum of %v", device.ErrOption, r.Rate, r.Preset)
	}
	if err := r.Rotation.Check(); err != nil {
		return r, fmt.Errorf("%w: Rotation: %w", device.ErrOption, err)
	}
	return r, nil
}

// period is the time from one measurement to the next.
func (o *Opts) period() time.Duration { return time.Duration(float64(time.Second) / o.Rate) }

// duration is how long a measurement takes, by its repetitions (data sheet, 4.2.4).
func (p Preset) duration() time.Duration {
	xy, z := 2*int(presets[p].xy)+1, int(presets[p].z)+1
	return time.Duration(145*xy+500*z+980) * time.Microsecond
}
