// SPDX-License-Identifier: Apache-2.0

package mailbox

import (
	"sync"
	"time"
)

// Latest holds the latest value that one goroutine publishes for others. The zero value holds a zero T; it is safe
// for concurrent use.
type Latest[T any] struct {
	mu     sync.Mutex
	latest T
}

// Put replaces the value.
func (l *Latest[T]) Put(v T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latest = v
}

// Get returns the value.
func (l *Latest[T]) Get() T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest
}

// LogPause is the minimum time between two log lines of the same kind.
const LogPause = 10 * time.Second

// Limiter admits one event of a kind per [LogPause]. The zero value admits the first; it is safe for concurrent use.
type Limiter struct {
	mu      sync.Mutex
	last    time.Time
	started bool
}

// Allow reports whether an event at now is admitted. It is if the clock was set back.
func (l *Limiter) Allow(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if since := now.Sub(l.last); l.started && since >= 0 && since < LogPause {
		return false
	}
	l.last, l.started = now, true
	return true
}
