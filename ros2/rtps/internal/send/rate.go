// SPDX-License-Identifier: Apache-2.0

package send

import (
	"math"
	"time"
)

// Rate adapts how fast bulk data are sent to one participant to what the path delivers. Its only input are the losses
// that the readers report in NACK_FRAGs.
//
// A loss cuts the rate to a little less than was delivered. Afterwards it grows as CUBIC TCP does (RFC 9438): slowly
// near what was delivered, then faster and faster; time in which nothing was sent does not count. A loss that stays
// the same after a cut has another cause than a full queue: it is tolerated from then on (wireless links lose frames
// at any rate).
type Rate struct {
	bucket    Bucket
	max       float64 // bytes per second
	burst     float64 // bytes, at that rate
	before    float64 // rate before the last cuts with the same loss, bytes per second
	same      int     // such cuts but the first
	full      float64 // what was delivered then
	loss      float64 // share lost that led to it, 0 before the first
	tolerated float64 // share lost that has another cause
	active    time.Duration
	cuts      int
}

const (
	// rateGrowth is the constant C of CUBIC, relative to what was delivered, 1/s³: 5 s after a cut the rate is 3.6
	// times that.
	rateGrowth = 0.05
	// maxCut is what a cut leaves at least: the first report of a burst that a queue swallowed says more than was lost.
	maxCut = 0.1
	// cutMargin drains the queue after a cut.
	cutMargin = 0.9
	// minRate is the lowest rate, bytes per second.
	minRate = 32_000
	// burstTime is what may leave back to back, as sending time at the present rate: half of a short queue.
	burstTime = 10 * time.Millisecond
	// lossNoise is the share of losses that never leads to a cut, maxTolerated the largest that is taken for one of
	// another cause.
	lossNoise, maxTolerated = 0.02, 0.3
	// sameLoss is from which ratio to the loss before a cut the cut is regarded as without effect.
	sameLoss = 0.75
	// futileCuts is how many more cuts with the same loss show that the rate is not the cause, and settleTime how long
	// after a cut the next one counts.
	futileCuts = 2
	settleTime = time.Second
)

// recovery is how long after a cut, in s, the rate is what was delivered before: K of CUBIC.
var recovery = math.Cbrt((1 - cutMargin) / rateGrowth)

// NewRate returns a rate that starts at its limits: so many bytes a second, and so many at once.
func NewRate(rate, burst int) Rate {
	return Rate{bucket: NewBucket(rate, burst), max: float64(rate), burst: float64(burst)}
}

// Refill adds the tokens of the time since the last call, and lets the rate grow if all tokens had been used.
func (r *Rate) Refill(now time.Time) {
	if now == r.bucket.last {
		return
	}
	if r.loss > 0 && !r.bucket.Ready() && !r.bucket.last.IsZero() {
		r.active += max(now.Sub(r.bucket.last), 0)
		x := r.active.Seconds() - recovery
		r.set(r.full * (1 + rateGrowth*x*x*x))
	}
	r.bucket.Refill(now)
}

// set changes the rate, and the burst with it.
func (r *Rate) set(rate float64) {
	r.bucket.rate = min(max(rate, minRate), r.max)
	r.bucket.burst = min(max(r.bucket.rate*burstTime.Seconds(), 2*MaxDatagram), r.burst)
}

// Spend removes n bytes.
func (r *Rate) Spend(n int) { r.bucket.Spend(n) }

// Ready reports whether bulk data may be sent.
func (r *Rate) Ready() bool { return r.bucket.Ready() }

// Wait returns how long to wait, if it may not be sent, until it pays to ask again.
func (r *Rate) Wait() time.Duration { return r.bucket.wait() }

// BytesPerSecond returns the present rate.
func (r *Rate) BytesPerSecond() float64 { return r.bucket.rate }

// Cuts counts the cuts so far. What was sent before the last one says nothing of the present rate.
func (r *Rate) Cuts() int { return r.cuts }

// Lost takes which share of what was sent at the present rate was lost, above 0 and at most 1.
func (r *Rate) Lost(share float64) {
	if share < r.tolerated/2 {
		r.tolerated = share
	}
	switch {
	case share <= 1.5*r.tolerated+lossNoise:
		return
	case r.unmoved(share):
		r.tolerated = share
		r.set(r.before)
		r.loss = 0
	default:
		r.cut(share)
	}
	r.cuts++
}

// unmoved reports whether several cuts in a row did not reduce the losses. A single one may not, since the queue is
// full.
func (r *Rate) unmoved(share float64) bool {
	if r.loss == 0 || share < sameLoss*r.loss || share > maxTolerated || r.active > settleTime {
		r.same, r.before = 0, r.bucket.rate
		return false
	}
	r.same++
	return r.same >= futileCuts
}

// cut reduces the rate to what was delivered.
func (r *Rate) cut(share float64) {
	delivered := r.bucket.rate * max(1-share, maxCut)
	r.full, r.loss, r.active = delivered, share, 0
	r.set(delivered * cutMargin)
	r.bucket.tokens = min(r.bucket.tokens, r.bucket.burst)
}
