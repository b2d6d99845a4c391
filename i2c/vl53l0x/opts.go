// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Profile is a set of range settings, as ST names them.
type Profile uint8

// The profiles. The distance is that to a white target in the dark; grey ones and daylight shorten it.
const (
	// LongRange reaches about 2 m in 33 ms: used by the firmware of the e-puck2 and its other drivers.
	LongRange Profile = iota
	// Standard reaches about 1.2 m in 33 ms.
	Standard
	// HighAccuracy reaches about 1.2 m in 200 ms, with less noise.
	HighAccuracy
	// HighSpeed reaches about 1.2 m in 20 ms, with more noise.
	HighSpeed
	numProfiles
)

var profileNames = [numProfiles]string{"long_range", "standard", "high_accuracy", "high_speed"}

// String returns the name of a profile, see [ParseProfile].
func (p Profile) String() string {
	if p < numProfiles {
		return profileNames[p]
	}
	return fmt.Sprintf("profile %d", uint8(p))
}

// ParseProfile returns the profile with the name. The error matches device.ErrOption.
func ParseProfile(name string) (Profile, error) {
	for p, n := range profileNames {
		if n == name {
			return Profile(p), nil
		}
	}
	return 0, fmt.Errorf("vl53l0x: %w: profile %q is none of %v", device.ErrOption, name, profileNames)
}

// rateLimit is the minimum signal rate of a valid measurement, MCPS.
func (p Profile) rateLimit() float64 {
	if p == LongRange {
		return 0.1
	}
	return 0.25
}

// Budget is the time of one measurement with the profile.
func (p Profile) Budget() time.Duration {
	switch p {
	case HighAccuracy:
		return 200 * time.Millisecond
	case HighSpeed:
		return 20 * time.Millisecond
	}
	return 33 * time.Millisecond
}

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	device.Opts
	// Profile defaults to LongRange.
	Profile Profile
	// TimingBudget is the time of one measurement, 20 ms to 1 s. It defaults to the profile's. Four times the budget
	// halves the noise.
	TimingBudget time.Duration
	// Period is the time from one measurement to the next, at least TimingBudget + 5 ms. It defaults to 0: back to
	// back.
	Period time.Duration
}

// withDefaults returns the options with all defaults filled in, or an error that names the first invalid one.
func (o *Opts) withDefaults() (Opts, error) {
	var r Opts
	if o != nil {
		r = *o
	}
	if r.Profile >= numProfiles {
		return r, fmt.Errorf("%w: Profile: %v", device.ErrOption, r.Profile)
	}
	if r.TimingBudget == 0 {
		r.TimingBudget = r.Profile.Budget()
	}
	if r.TimingBudget < 20*time.Millisecond || r.TimingBudget > time.Second {
		return r, fmt.Errorf("%w: TimingBudget %v is not within 20 ms and 1 s", device.ErrOption, r.TimingBudget)
	}
	if r.Period != 0 && (r.Period < r.TimingBudget+5*time.Millisecond || r.Period > time.Minute) {
		return r, fmt.Errorf("%w: Period %v is not within TimingBudget %v + 5 ms and a minute",
			device.ErrOption, r.Period, r.TimingBudget)
	}
	return r, nil
}
