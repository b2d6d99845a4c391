// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"
	"time"
)

// logPause is the least time between two log lines of the same kind.
const logPause = 10 * time.Second

// limiter lets one event of a kind through per logPause. The zero value lets the first through; it is safe for
// concurrent use.
type limiter struct {
	mu      sync.Mutex
	last    time.Time
	started bool
}

func (l *limiter) allow(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if since := now.Sub(l.last); l.started && since >= 0 && since < logPause {
		return false
	}
	l.last, l.started = now, true
	return true
}
