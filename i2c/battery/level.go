// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Level is the state of charge as far as a program must act on it. Higher is worse.
type Level uint8

// The levels.
const (
	// levelUnknown: there was no reading, or nothing is connected.
	levelUnknown Level = iota
	// LevelOK: nothing to do, or a charger is connected.
	LevelOK
	// LevelLow: charge it soon.
	LevelLow
	// LevelVeryLow: charge it now.
	LevelVeryLow
	// LevelCritical: the wheels stop; the machine should be switched off before the battery is damaged.
	LevelCritical
)

var levelNames = [...]string{"unknown", "ok", "low", "very low", "critical"}

// String returns the level in words.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("level %d", uint8(l))
}

// Thresholds are the voltages of the levels, V. The zero value of each field means its default, York Robotics
// Laboratory's utilities/pi-puck-battery.
type Thresholds struct {
	// Low defaults to 3.6 V.
	Low float64
	// VeryLow defaults to 3.5 V.
	VeryLow float64
	// Critical defaults to 3.35 V.
	Critical float64
	// Hysteresis is how far the voltage must rise above a threshold to leave the level. It defaults to 0.05 V.
	Hysteresis float64
}

// withDefaults fills in the defaults and checks the result.
func (t Thresholds) withDefaults() (Thresholds, error) {
	for _, f := range []struct {
		v *float64
		d float64
	}{{&t.Low, 3.6}, {&t.VeryLow, 3.5}, {&t.Critical, 3.35}, {&t.Hysteresis, 0.05}} {
		if *f.v == 0 {
			*f.v = f.d
		}
	}
	if !(t.Low > t.VeryLow && t.VeryLow > t.Critical && t.Critical > 0 && t.Hysteresis > 0 && t.Hysteresis < 1) {
		return t, fmt.Errorf("battery: %w: thresholds %g, %g, %g V must be descending and positive, hysteresis %g V within 0 and 1",
			device.ErrOption, t.Low, t.VeryLow, t.Critical, t.Hysteresis)
	}
	return t, nil
}

// level returns the level of a voltage with every threshold raised by the given value.
func (t *Thresholds) level(v, raised float64) Level {
	switch v -= raised; {
	case v <= t.Critical:
		return LevelCritical
	case v <= t.VeryLow:
		return LevelVeryLow
	case v <= t.Low:
		return LevelLow
	}
	return LevelOK
}
