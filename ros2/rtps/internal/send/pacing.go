// SPDX-License-Identifier: Apache-2.0

package send

import "time"

// Bucket is a token bucket that counts bytes. Large samples and retransmissions wait for tokens; small new samples and
// protocol messages only spend them, into debt if needed, so that they have priority over bulk data.
//
// The burst is chosen for the receiver: a default Linux socket buffer of 212,992 bytes counts whole kernel buffers,
// about 2,300 bytes for a datagram of 1,428, so it overflows after some 90 datagrams.
type Bucket struct {
	rate   float64 // bytes per second
	burst  float64 // bytes
	tokens float64
	last   time.Time
}

// NewBucket returns a full bucket with a rate in bytes per second and a burst in bytes.
func NewBucket(rate, burst int) Bucket {
	return Bucket{rate: float64(rate), burst: float64(burst), tokens: float64(burst)}
}

// Refill adds the tokens of the time since the last call.
func (b *Bucket) Refill(now time.Time) {
	if now == b.last {
		return
	}
	if d := now.Sub(b.last); !b.last.IsZero() && d > 0 {
		b.tokens = min(b.burst, b.tokens+d.Seconds()*b.rate)
	}
	b.last = now
}

// Spend removes n bytes, into debt of at most one burst.
func (b *Bucket) Spend(n int) { b.tokens = max(b.tokens-float64(n), -b.burst) }

// Ready reports whether bulk data may be sent.
func (b *Bucket) Ready() bool { return b.tokens > 0 }

// wait returns how long to wait until about a quarter of the burst may be sent, so that wake-ups are few.
func (b *Bucket) wait() time.Duration {
	missing := b.burst/4 - b.tokens
	return max(time.Duration(missing/b.rate*float64(time.Second)), time.Millisecond)
}
