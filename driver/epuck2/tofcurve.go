// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"
	"sort"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// ToFDistance is the inverse of the sensor's curve: it returns the distance in metres for a reading in metres. Readings
// beyond the curve, ±Inf and NaN are returned unchanged.
func ToFDistance(reads float64) float64 {
	curve := robot.ToFResponse()
	last := len(curve) - 1
	switch {
	case math.IsNaN(reads) || reads >= curve[last].Reading || math.IsInf(reads, -1):
		return reads
	case reads <= curve[0].Reading:
		return curve[0].Distance
	}
	i := sort.Search(last, func(i int) bool { return curve[i].Reading > reads })
	a, b := curve[i-1], curve[i]
	return a.Distance + (b.Distance-a.Distance)*(reads-a.Reading)/(b.Reading-a.Reading)
}
