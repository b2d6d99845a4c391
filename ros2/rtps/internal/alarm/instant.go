// SPDX-License-Identifier: Apache-2.0

package alarm

import "time"

// Instant is a point in time of a [Queue], in nanoseconds. The zero Instant is before all others. Times are set and
// compared for every message; an integer is cheaper than a time.Time, which an ARM1176 copies through memory with each
// call.
type Instant int64

// ages is the offset of the zero Instant before a queue's first: longer than any program runs. It is added to the
// integer, because a time.Time so long ago would have no monotonic clock reading.
const ages = 100 * 365 * 24 * time.Hour

// Add returns the instant d later.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d) }

// Sub returns the time from j to i.
func (i Instant) Sub(j Instant) time.Duration { return time.Duration(i - j) }

// Instant converts a time to an Instant of the queue.
func (q *Queue) Instant(at time.Time) Instant {
	if q.begin.IsZero() {
		q.begin = at
	}
	return Instant(ages + at.Sub(q.begin))
}

// Time is the inverse of Instant.
func (q *Queue) Time(i Instant) time.Time { return q.begin.Add(time.Duration(i) - ages) }
