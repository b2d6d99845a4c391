// SPDX-License-Identifier: Apache-2.0

package alarm

import "time"

// Instant is a point in time of a [Queue], in nanoseconds. The zero Instant is before all that are. Where every message
// has its times set and compared, a number is less than a time.Time, which an ARM1176 moves through its memory with
// each call.
type Instant int64

// ages is how long the zero Instant is before a queue's first: longer than any program runs. It is added to the number:
// a time.Time so long ago would have lost its monotonic clock.
const ages = 100 * 365 * 24 * time.Hour

// Add returns the instant d later.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d) }

// Sub returns the time from j to i.
func (i Instant) Sub(j Instant) time.Duration { return time.Duration(i - j) }

// Instant returns a time as a point in time of the queue.
func (q *Queue) Instant(at time.Time) Instant {
	if q.begin.IsZero() {
		q.begin = at
	}
	return Instant(ages + at.Sub(q.begin))
}

// Time is the opposite of Instant.
func (q *Queue) Time(i Instant) time.Time { return q.begin.Add(time.Duration(i) - ages) }
