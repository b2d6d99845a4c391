// SPDX-License-Identifier: Apache-2.0

package send

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// path is a link with a queue, and losses of another cause.
type path struct {
	carries float64 // bytes per second
	queue   float64 // bytes it holds
	random  float64 // share of the rest that is lost
	waiting float64 // bytes in the queue

	fragments, missing float64 // sent and lost of the next report
}

// send sends for a while at a rate and returns the share that was lost.
func (p *path) send(rate float64, d time.Duration) float64 {
	sent := rate * d.Seconds()
	p.waiting = max(p.waiting+sent-p.carries*d.Seconds(), 0)
	dropped := max(p.waiting-p.queue, 0)
	p.waiting -= dropped
	return (dropped + (sent-dropped)*p.random) / sent
}

// run sends at a rate for a duration, with a report every 50 ms, and returns the mean bytes per second delivered in the
// last half.
func (p *path) run(r *Rate, d time.Duration) float64 {
	const step = 50 * time.Millisecond
	now, delivered := time.Unix(1000, 0), 0.0
	for elapsed := time.Duration(0); elapsed < d; elapsed += step {
		r.bucket.tokens = -1 // in use
		r.Refill(now)
		rate := r.BytesPerSecond()
		share := p.send(rate, step)
		if elapsed >= d/2 {
			delivered += rate * step.Seconds() * (1 - share)
		}
		if share > 0 {
			p.fragments += rate * step.Seconds() / 1400
			p.missing += share * rate * step.Seconds() / 1400
			of, missing := math.Floor(p.fragments), math.Floor(p.missing)
			p.fragments, p.missing = p.fragments-of, p.missing-missing
			r.Lost(int(missing), int(of))
		}
		now = now.Add(step)
	}
	return delivered / (d / 2).Seconds()
}

// TestRateConvergesToPathCapacity: of any link with a queue of at least 20 ms, at least 70 % is used, although up to a
// tenth of the datagrams are lost for another reason.
func TestRateConvergesToPathCapacity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := path{
			carries: rapid.Float64Range(200_000, 20_000_000).Draw(t, "carries"),
			random:  rapid.SampledFrom([]float64{0, 0, 0.001, 0.01, 0.1}).Draw(t, "random"),
		}
		p.queue = p.carries * rapid.Float64Range(0.02, 1).Draw(t, "queue")
		r := NewRate(40_000_000, 32<<10)
		if got := p.run(&r, 20*time.Second); got < 0.7*p.carries*(1-p.random) {
			t.Errorf("%.0f bytes/s delivered of %.0f", got, p.carries)
		}
	})
}

// TestRateToleratesRandomLoss: losses that do not depend on the rate do not reduce it.
func TestRateToleratesRandomLoss(t *testing.T) {
	for _, random := range []float64{0.005, 0.05, 0.2} {
		p := path{carries: 100e6, queue: 10e6, random: random}
		r := NewRate(40_000_000, 32<<10)
		if got := p.run(&r, 20*time.Second); got < 0.9*40e6*(1-random) {
			t.Errorf("loss %v: %.0f bytes/s delivered", random, got)
		}
	}
}

// TestRateToleratesChance: so does it when each report is of a few fragments, of which chance loses more or fewer.
func TestRateToleratesChance(t *testing.T) {
	for _, loss := range []float64{0.05, 0.2, 0.3} {
		random := rand.New(rand.NewPCG(1, 2))
		r, sum, lowest := NewRate(40_000_000, 32<<10), 0.0, math.Inf(1)
		now := time.Unix(1000, 0)
		const reports = 20_000
		for range reports {
			r.bucket.tokens = -1 // in use
			now = now.Add(10 * time.Millisecond)
			r.Refill(now)
			of, missing := 10+random.IntN(200), 0
			for range of {
				if random.Float64() < loss {
					missing++
				}
			}
			r.Lost(missing, of)
			sum += r.BytesPerSecond() / reports
			lowest = min(lowest, r.BytesPerSecond())
		}
		if sum < 30e6 || lowest < 2e6 {
			t.Errorf("loss %v: %.0f bytes/s on average, %.0f at least", loss, sum, lowest)
		}
	}
}

// TestRateAdaptsToFasterPath: a reduced rate adapts to a faster path, and does not grow while nothing is sent.
func TestRateAdaptsToFasterPath(t *testing.T) {
	r := NewRate(40_000_000, 32<<10)
	slow, fast := path{carries: 1.7e6, queue: 86e3}, path{carries: 50e6, queue: 2e6}
	slow.run(&r, 10*time.Second)
	before := r.BytesPerSecond()
	if before > 3e6 {
		t.Fatalf("%.0f bytes/s on the slow path", before)
	}
	r.bucket.tokens = 1
	r.Refill(time.Unix(5000, 0))
	if got := r.BytesPerSecond(); got != before {
		t.Errorf("%.0f bytes/s after a pause, %.0f before", got, before)
	}
	if got := fast.run(&r, 30*time.Second); got < 35e6 {
		t.Errorf("%.0f bytes/s on the fast path", got)
	}
}

// TestRateUnchangedWithoutLoss: without reports the rate is fixed.
func TestRateUnchangedWithoutLoss(t *testing.T) {
	r, b := NewRate(1_000_000, 10_000), NewBucket(1_000_000, 10_000)
	now := time.Unix(1000, 0)
	for range 1000 {
		r.Refill(now)
		b.Refill(now)
		if r.Ready() != b.Ready() {
			t.Fatal("they differ")
		}
		if r.Ready() {
			r.Spend(1400)
			b.Spend(1400)
		}
		now = now.Add(300 * time.Microsecond)
	}
}
