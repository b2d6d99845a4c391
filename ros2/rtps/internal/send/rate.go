// SPDX-License-Identifier: Apache-2.0

package send

import (
	"math"
	"time"
)

// Rate adapts the send rate of bulk data to one participant to the capacity of the path. Its only input are the losses
// that the readers report in NACK_FRAGs.
//
// A loss cuts the rate to slightly less than the delivered rate. Afterwards it grows as CUBIC TCP does (RFC 9438):
// slowly near the delivered rate, then faster and faster; time in which nothing was sent does not count. A loss that
// two cuts in a row do not halve has another cause than a full queue, since wireless links lose frames at any rate: it
// is tolerated from then on, and the rate before the cuts is restored.
type Rate struct {
	bucket    Bucket
	max       float64 // bytes per second
	burst     float64 // bytes, at that rate
	full      float64 // rate that the growth is relative to, 0 before the first cut
	active    time.Duration
	loss      float64 // share lost that led to the last cut, 0 if there was none or it was undone
	before    float64 // rate before the last cuts with the same loss, bytes per second
	same      int     // number of such cuts except the first
	tolerated float64 // share lost that has another cause: a running mean …
	proven    float64 // … that never exceeds the loss that cuts did not change
	missing   int     // transmissions lost since the last evaluation …
	of        int     // … of so many
	cuts      int
}

const (
	// rateGrowth is the constant C of CUBIC, relative to the delivered rate, 1/s³: 5 s after a cut the rate is 3.6
	// times that.
	rateGrowth = 0.05
	// maxCut is the least factor of a cut: the first report after a burst that overflowed a queue overestimates the
	// loss.
	maxCut = 0.1
	// cutMargin drains the queue after a cut.
	cutMargin = 0.9
	// minRate is the lowest rate, bytes per second.
	minRate = 32_000
	// burstTime is the burst as sending time at the current rate: half of a short queue.
	burstTime = 10 * time.Millisecond
	// lossNoise is the share of losses that never leads to a cut, maxTolerated the largest that is attributed to
	// another cause.
	lossNoise, maxTolerated = 0.02, 0.5
	// minTransmissions and minMissing are how many transmissions must be known, and how many of them lost, before the
	// share lost is significant; with fewer lost, several times as many transmissions are needed.
	minTransmissions, minMissing = 32, 12
	// meanTransmissions is the number of transmissions over which the tolerated loss is averaged.
	meanTransmissions = 512
	// sameLoss is the ratio of the losses after and before a cut from which on the cut counts as without effect: a cut
	// that empties a queue ends the losses, any other does not change them.
	sameLoss = 0.5
	// futileCuts is how many cuts without effect show that the rate is not the cause of the losses. It is also the
	// multiple of the delivered rate up to which losses show whether a cut had an effect.
	futileCuts = 2
	regrown    = 1.02
)

// recovery is the time after a cut, in s, until the rate is the rate delivered before it: K of CUBIC.
var recovery = math.Cbrt((1 - cutMargin) / rateGrowth)

// NewRate returns a rate that starts at its limits: rate in bytes per second, burst in bytes.
func NewRate(rate, burst int) Rate {
	return Rate{bucket: NewBucket(rate, burst), max: float64(rate), burst: float64(burst)}
}

// Refill adds the tokens of the time since the last call, and raises the rate if all tokens had been used.
func (r *Rate) Refill(now time.Time) {
	if now == r.bucket.last {
		return
	}
	if r.full > 0 && !r.bucket.Ready() && !r.bucket.last.IsZero() {
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

// Wait returns how long to wait before the next attempt if bulk data may not be sent.
func (r *Rate) Wait() time.Duration { return r.bucket.wait() }

// BytesPerSecond returns the current rate.
func (r *Rate) BytesPerSecond() float64 { return r.bucket.rate }

// Cuts counts the cuts so far. Losses of data sent before the last one do not apply to the current rate.
func (r *Rate) Cuts() int { return r.cuts }

// Lost adapts the rate to the number of transmissions lost at the current rate, out of the given number.
func (r *Rate) Lost(missing, of int) {
	r.missing += missing
	r.of += of
	if r.of < minTransmissions || r.missing < minMissing && r.of < 4*minTransmissions {
		return
	}
	share, n := float64(r.missing)/float64(r.of), float64(r.of)
	r.missing, r.of = 0, 0
	switch {
	case share <= r.acceptable(n):
		r.tolerated += (min(share, r.proven) - r.tolerated) * min(n/meanTransmissions, 1)
		r.same = 0
		return
	case r.unmoved(share):
		r.undo(share)
	default:
		r.cut(share)
	}
	r.cuts++
}

// acceptable returns the share of n transmissions that may be lost, by chance included, without a full queue.
func (r *Rate) acceptable(n float64) float64 {
	return 1.5*r.tolerated + lossNoise + 2*math.Sqrt(r.tolerated*(1-r.tolerated)/n)
}

// unmoved reports whether several cuts in a row did not reduce the losses. A single cut may not, while the queue is
// still full.
func (r *Rate) unmoved(share float64) bool {
	if r.loss == 0 || share < sameLoss*r.loss || share > maxTolerated || r.bucket.rate > regrown*r.full {
		r.same, r.before = 0, r.bucket.rate
		return false
	}
	r.same++
	return r.same >= futileCuts
}

// undo restores the rate before the cuts, and tolerates the loss.
func (r *Rate) undo(share float64) {
	r.proven = (r.loss + share) / 2
	r.tolerated = r.proven
	r.full, r.loss, r.same = r.before, 0, 0
	r.active = time.Duration(recovery * float64(time.Second))
	r.set(r.before)
}

// cut reduces the rate to slightly less than the delivered rate.
func (r *Rate) cut(share float64) {
	delivered := r.bucket.rate * max(1-share, maxCut)
	r.full, r.loss, r.active = delivered, share, 0
	r.set(delivered * cutMargin)
	r.bucket.tokens = min(r.bucket.tokens, r.bucket.burst)
}
