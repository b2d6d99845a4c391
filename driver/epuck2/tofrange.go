// SPDX-License-Identifier: Apache-2.0

package epuck2

import "math"

// Limits of the ranges published from the time-of-flight sensor, in metres. They are those of the old driver. The
// sensor sees white walls at 2 m, but grey ones and daylight shorten that, and +Inf, "nothing within range", must be
// true.
const (
	MinToFRange = 0.005
	MaxToFRange = 1.0
)

// ToFRange returns the range to publish for a distance, both in metres, by REP 117.
func ToFRange(distance float64) float64 {
	switch {
	case distance > MaxToFRange:
		return math.Inf(1)
	case distance < MinToFRange:
		return math.Inf(-1)
	default:
		return distance
	}
}
