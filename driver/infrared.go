// SPDX-License-Identifier: Apache-2.0

package driver

import "math"

// Limits of the ranges published from the infrared sensors, in metres.
//
// The sensors answer from contact to about 7 cm, but a usable range is shorter: at the near end the response saturates,
// at the far end a robot whose sensors were never calibrated adds tens of counts of offset, which beyond 4 cm would
// turn an empty room into obstacles. 9 mm is the lower limit of the old driver and of the Webots model. For the upper
// one the old driver said 25 mm (and exceeded it, up to 82 mm); the Webots model's scan uses 40 mm, and so do we.
const (
	MinInfraredRange = 0.009
	MaxInfraredRange = 0.040
	// InfraredFieldOfView is the opening angle of an infrared sensor in radians (15°).
	InfraredFieldOfView = 15 * math.Pi / 180
	// SaturatedInfrared is the reading, in counts of the 12-bit converter, at and above which something touches the
	// sensor or nearly so.
	SaturatedInfrared = 4095
)

// infraredResponse is the response of the infrared sensors: distance in metres and the reading in counts, linear
// between the points. Up to 5 cm it is the table of the Webots model and of the old driver, the last two points are in
// the Webots model only.
var infraredResponse = [...]struct{ distance, counts float64 }{
	{0, 4095}, {0.005, 2133.33}, {0.01, 1465.73}, {0.015, 601.46}, {0.02, 383.84},
	{0.03, 234.93}, {0.04, 158.03}, {0.05, 120}, {0.06, 104.09}, {0.07, 67.19},
}

// InfraredDistance gives the distance in metres, 0 … 0.07, at which the sensor's response curve has the reading counts.
// A reading at or above saturation gives 0, one below the curve's end gives +Inf.
func InfraredDistance(counts uint16) float64 {
	c := float64(counts)
	if c >= infraredResponse[0].counts {
		return 0
	}
	for i := 1; i < len(infraredResponse); i++ {
		near, far := infraredResponse[i-1], infraredResponse[i]
		if c >= far.counts {
			return near.distance + (near.counts-c)/(near.counts-far.counts)*(far.distance-near.distance)
		}
	}
	return math.Inf(1)
}

// InfraredRange gives the range in metres to publish for a reading, by REP 117:
//
//   - nothing within MaxInfraredRange: +Inf;
//   - a measured distance below MinInfraredRange: MinInfraredRange. The curve still tells that something is there and
//     nearer than that; consumers drop values below range_min and would run into it;
//   - SaturatedInfrared and more: −Inf, "too close to quantify".
//
// NaN, REP 117's "erroneous", does not occur: an erroneous packet is not published.
func InfraredRange(counts uint16) float64 {
	if counts >= SaturatedInfrared {
		return math.Inf(-1)
	}
	d := InfraredDistance(counts)
	if d > MaxInfraredRange {
		return math.Inf(1)
	}
	return max(d, MinInfraredRange)
}
