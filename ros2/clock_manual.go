// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"sync"
	"time"
)

// ManualClock is a [Clock] that only Advance and Set move, for tests and simulated time. It is safe for concurrent use.
type ManualClock struct {
	mu     sync.Mutex
	cond   *sync.Cond
	now    time.Time
	timers map[*manualTimer]struct{}
}

// NewManualClock returns a clock set to start.
func NewManualClock(start time.Time) *ManualClock {
	c := &ManualClock{now: start, timers: make(map[*manualTimer]struct{})}
	c.cond = sync.NewCond(&c.mu)
	return c
}

// Now returns the clock's time.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock by d and fires the timers that are due, in the order of their times, each at its time.
func (c *ManualClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setLocked(c.now.Add(d))
}

// Set moves the clock to t. Moving it back fires nothing.
func (c *ManualClock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setLocked(t)
}

// AwaitTimers waits until at least n timers run, so that a test can advance the clock after the code under test has
// begun to wait.
func (c *ManualClock) AwaitTimers(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.timers) < n {
		c.cond.Wait()
	}
}

// NewTimer returns a timer on this clock.
func (c *ManualClock) NewTimer(d time.Duration) Timer {
	t := &manualTimer{clock: c, ch: make(chan time.Time, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	t.startLocked(d)
	return t
}

func (c *ManualClock) setLocked(to time.Time) {
	for {
		next := c.dueLocked(to)
		if next == nil {
			break
		}
		if next.when.After(c.now) {
			c.now = next.when
		}
		delete(c.timers, next)
		next.ch <- c.now
	}
	c.now = to
}

// dueLocked returns the running timer with the earliest time not after to.
func (c *ManualClock) dueLocked(to time.Time) *manualTimer {
	var next *manualTimer
	for t := range c.timers {
		if !t.when.After(to) && (next == nil || t.when.Before(next.when)) {
			next = t
		}
	}
	return next
}

// manualTimer is guarded by its clock's mutex.
type manualTimer struct {
	clock *ManualClock
	when  time.Time
	ch    chan time.Time // holds a time not yet received
}

func (t *manualTimer) C() <-chan time.Time { return t.ch }

func (t *manualTimer) Reset(d time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	running := t.stopLocked()
	t.startLocked(d)
	return running
}

func (t *manualTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	return t.stopLocked()
}

func (t *manualTimer) startLocked(d time.Duration) {
	t.when = t.clock.now.Add(d)
	if d <= 0 {
		t.ch <- t.clock.now
		return
	}
	t.clock.timers[t] = struct{}{}
	t.clock.cond.Broadcast()
}

func (t *manualTimer) stopLocked() bool {
	_, running := t.clock.timers[t]
	delete(t.clock.timers, t)
	select {
	case <-t.ch:
		running = true // fired but never received: for the caller it was running
	default:
	}
	return running
}
