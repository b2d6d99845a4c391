// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"sync"
	"time"
)

// limiter allows one event per logInterval. The zero value allows the first.
type limiter struct {
	mu   sync.Mutex
	last time.Time
}

func (l *limiter) allow(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.last.IsZero() && now.Sub(l.last) < logInterval && !now.Before(l.last) {
		return false
	}
	l.last = now
	return true
}
