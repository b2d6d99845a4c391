// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"time"
)

// period is the time from one measurement to the next.
func (d *Dev) period() time.Duration { return d.every }

// profile is the profile in use.
func (d *Dev) profile() Profile { return d.opts.Profile }

// maxRange is about the longest distance of a profile, in metres.
func (p Profile) maxRange() float64 {
	if p == LongRange {
		return 2.0
	}
	return 1.2
}
