// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"fmt"
	"math"
	"time"
)

// Both sensors have a 21 MHz clock and two cycles per pixel; a frame of 875×800 with its margins makes 15 frames/s.
const (
	clock       = 21_000_000 // Hz
	frameWidth  = 875
	frameHeight = 800
)

// rowTime is the unit of the exposure.
const rowTime = time.Duration(2*frameWidth) * time.Second / clock

// Limits of the settings.
const (
	minExposure = rowTime
	MaxExposure = frameHeight * rowTime
	MaxGain     = 32.0
	maxBalance  = 255.0 / 64
)

// Option is a set of settings.
type Option uint8

// The settings, as bits.
const (
	optionMirror Option = 1 << iota
	optionFlip
	optionExposure
	optionGain
	optionBalance
	optionTestPattern
)

// Balance is a white balance: the gain of each colour, 0 to maxBalance, 1 is none. All zero is automatic.
type Balance struct{ Red, Green, Blue float64 }

// Settings are the options of the picture. The zero value is the sensor's default: automatic, upright.
type Settings struct {
	// Mirror exchanges left and right, Flip top and bottom.
	Mirror, Flip bool
	// Exposure is the time a row collects light, minExposure to [MaxExposure]; 0 is automatic. It is rounded to rows.
	Exposure time.Duration
	// Gain is the gain of all colours, 1 to [MaxGain]; 0 is automatic. A PO8030 supports only automatic gain.
	Gain float64
	// Balance is the white balance. On the OV7670 red and blue are relative to green.
	Balance Balance
	// TestPattern shows colour bars instead of the picture. A PO8030 has none.
	TestPattern bool
}

// validate returns an error for the first setting that is out of range; it matches errSettings.
func (s *Settings) validate() error {
	b := s.Balance
	in := func(v, low, high float64) bool { return v >= low && v <= high } // false of NaN
	switch {
	case s.Exposure != 0 && (s.Exposure < minExposure || s.Exposure > MaxExposure):
		return fmt.Errorf("%w: Exposure %v is not within %v and %v", errSettings, s.Exposure, minExposure, MaxExposure)
	case s.Gain != 0 && !in(s.Gain, 1, MaxGain):
		return fmt.Errorf("%w: Gain %g is not within 1 and %g", errSettings, s.Gain, MaxGain)
	case !in(b.Red, 0, maxBalance) || !in(b.Green, 0, maxBalance) || !in(b.Blue, 0, maxBalance):
		return fmt.Errorf("%w: Balance %+v is not within 0 and %g", errSettings, b, maxBalance)
	case b != (Balance{}) && b.Green == 0:
		return fmt.Errorf("%w: Balance %+v without green", errSettings, b)
	}
	return nil
}

// rows returns the exposure in rows.
func (s *Settings) rows() uint16 {
	return uint16(max(1, min(frameHeight, (s.Exposure+rowTime/2)/rowTime)))
}

// chosen returns the settings that differ from the sensor's default.
func (s *Settings) chosen() Option {
	var o Option
	for bit, on := range map[Option]bool{
		optionMirror: s.Mirror, optionFlip: s.Flip, optionExposure: s.Exposure != 0, optionGain: s.Gain != 0,
		optionBalance: s.Balance != Balance{}, optionTestPattern: s.TestPattern,
	} {
		if on {
			o |= bit
		}
	}
	return o
}

// fixed returns a gain in the fixed-point format of both sensors: 64 is 1.
func fixed(v float64) byte { return byte(max(0, min(255, math.Round(64*v)))) }
