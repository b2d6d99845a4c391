// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Slip is what a wheel's way differs from the turning of its motor: an error along the way that is constant over a
// correlation length and independent from one length to the next, so that beyond a few lengths its variance grows in
// proportion to the way (the non-systematic error of Borenstein and Feng, Measurement and Correction of Systematic
// Odometry Errors in Mobile Robots, IEEE Transactions on Robotics and Automation 12 (6), 1996; the variance k·|way| of
// Siegwart and Nourbakhsh, Introduction to Autonomous Mobile Robots, section 5.2.4). How the way is cut into steps
// makes no difference. The zero value does not slip.
type Slip struct {
	dice   noise.Source
	length float64 // the correlation length, m
	share  float64 // standard deviation of the error on one length, as a share of it
	rest   float64 // of the present length, m
	scale  float64 // of the way on the present length
	drawn  uint64  // lengths that have begun
}

// maxSlipShare bounds deviation/√length of a Slip: normal numbers of package noise stay within ±6, and a wheel that
// turns forward does not go back.
const maxSlipShare = 0.16

// NewSlip returns the slip of a wheel whose way has a standard deviation (m) after 1 m of it, with a correlation length
// (m). It is limited to maxSlipShare.
func NewSlip(deviation, length float64, dice noise.Source) Slip {
	if !(deviation > 0 && length > 0) {
		return Slip{}
	}
	return Slip{dice: dice, length: length, share: min(maxSlipShare, deviation/math.Sqrt(length))}
}

// Way returns how far the wheel rolls while its motor turns for a way, m, forward positive.
func (s *Slip) Way(turned float64) float64 {
	if s.share == 0 {
		return turned
	}
	left, way := math.Abs(turned), 0.0
	for left > s.rest {
		way += float64(s.rest * s.scale)
		left -= s.rest
		s.rest, s.scale = s.length, 1+float64(s.share*s.dice.Normal(s.drawn))
		s.drawn++
	}
	s.rest -= left
	return math.Copysign(way+float64(left*s.scale), turned)
}

// mostNormal bounds the numbers of [noise.Source.Normal].
const mostNormal = 6

// Most returns by which factor a way is longer than the turning of the motor, at the most.
func (s *Slip) Most() float64 { return 1 + float64(mostNormal*s.share) }
