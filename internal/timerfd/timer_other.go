// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package timerfd

import "time"

// Timer fires once after each start. Any goroutine may restart it.
type Timer struct {
	timer *time.Timer
	done  chan struct{}
}

// New starts a timer that fires after d. It belongs to who made it until Stop. The error is nil here.
func New(d time.Duration) (*Timer, error) {
	return &Timer{timer: time.NewTimer(d), done: make(chan struct{})}, nil
}

// C is where it fires. What is received there may be of an expiry before the timer was restarted: look at the clock.
func (t *Timer) C() <-chan time.Time { return t.timer.C }

// Done is closed after Stop.
func (t *Timer) Done() <-chan struct{} { return t.done }

// Reset restarts the timer; it reports whether it was running.
func (t *Timer) Reset(d time.Duration) bool { return t.timer.Reset(d) }

// Stop ends the timer for good; it reports whether it was running. It is called once.
func (t *Timer) Stop() bool {
	defer close(t.done)
	return t.timer.Stop()
}
