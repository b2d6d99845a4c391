// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"sync"
	"time"
)

// Latest is where one goroutine leaves the latest of something for others. The zero value holds a zero value; it is
// safe for concurrent use.
type Latest[T any] struct {
	mu     sync.Mutex
	latest T
}

// Put replaces what was there.
func (l *Latest[T]) Put(v T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latest = v
}

// Get gives what is there.
func (l *Latest[T]) Get() T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest
}

// LogPause is the least time between two log lines of the same kind.
const LogPause = 10 * time.Second

// Limiter lets one event of a kind through per [LogPause]. The zero value lets the first through; it is safe for
// concurrent use.
type Limiter struct {
	mu      sync.Mutex
	last    time.Time
	started bool
}

// Allow reports whether an event at now is let through. A clock that went back lets it.
func (l *Limiter) Allow(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if since := now.Sub(l.last); l.started && since >= 0 && since < LogPause {
		return false
	}
	l.last, l.started = now, true
	return true
}
