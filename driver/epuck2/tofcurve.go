// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"
	"sort"
)

// tofCurve is what the time-of-flight sensor of an e-puck2 reads at a distance, both in metres, as the makers of the
// Webots model of the robot measured it: about 5 % and 6 mm too much.
var tofCurve = [...]struct{ distance, reads float64 }{
	{0, 0.0198}, {0.05, 0.0585}, {0.1, 0.111}, {0.2, 0.2189}, {0.5, 0.5319}, {1, 1.052}, {1.7, 1.7805}, {2, 2},
}

// ToFDistance is the inverse of the sensor's curve: the distance in metres at which it reads so many metres. What is
// beyond the curve is taken as it is; ±Inf and NaN stay.
func ToFDistance(reads float64) float64 {
	last := len(tofCurve) - 1
	switch {
	case math.IsNaN(reads) || reads >= tofCurve[last].reads || math.IsInf(reads, -1):
		return reads
	case reads <= tofCurve[0].reads:
		return tofCurve[0].distance
	}
	i := sort.Search(last, func(i int) bool { return tofCurve[i].reads > reads })
	a, b := tofCurve[i-1], tofCurve[i]
	return a.distance + (b.distance-a.distance)*(reads-a.reads)/(b.reads-a.reads)
}
