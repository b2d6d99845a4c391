// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"sync/atomic"
	"time"
)

// limiter allows one event per logInterval. The zero value allows the first. It is safe for concurrent use.
type limiter struct {
	last atomic.Int64 // time of the last event, ns since 1970, and 1; 0 before the first
}

func (l *limiter) allow(now time.Time) bool {
	at, last := now.UnixNano()+1, l.last.Load() // simulated time starts at 0
	if last != 0 && at >= last && at-last < int64(logInterval) {
		return false
	}
	return l.last.CompareAndSwap(last, at)
}
