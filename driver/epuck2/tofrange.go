// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// ToFRange returns the range to publish for a distance, both in metres, by REP 117.
func ToFRange(distance float64) float64 {
	switch {
	case distance > robot.MaxToFRange:
		return math.Inf(1)
	case distance < robot.MinToFRange:
		return math.Inf(-1)
	default:
		return distance
	}
}
