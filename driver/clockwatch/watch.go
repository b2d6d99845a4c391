// SPDX-License-Identifier: Apache-2.0

// Package clockwatch notices that the computer's clock was set: stamps of messages follow it, and those who compare
// them should know.
package clockwatch

import (
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/handover"
)

// LeastJump is the least change of the wall clock against the monotonic clock, from one check to the next, that counts
// as a clock that was set. NTP that slews the clock changes it by 0.5 ms a second.
const LeastJump = 200 * time.Millisecond

// Watch compares the wall clock with the monotonic clock. Its methods are for one goroutine.
type Watch struct {
	// Wall is the wall clock; monotonic readings are not used. It defaults to time.Now.
	Wall func() time.Time

	log    *slog.Logger
	began  time.Time     // with a monotonic reading
	offset time.Duration // of the wall clock from the time since began, at the last check
	known  bool
	lines  handover.Limiter
	sum    time.Duration // of the jumps that were not logged yet
}

// New begins to watch.
func New(log *slog.Logger) *Watch { return &Watch{Wall: time.Now, log: log, began: time.Now()} }

// Check logs by how much the clock was set since the last line. now is for the time between two lines, which is
// handover.LogPause at least.
func (w *Watch) Check(now time.Time) {
	offset := time.Duration(w.Wall().UnixNano()) - time.Since(w.began)
	if jump := offset - w.offset; w.known && jump.Abs() >= LeastJump {
		w.sum += jump
	}
	w.offset, w.known = offset, true
	if w.sum == 0 || !w.lines.Allow(now) {
		return
	}
	w.log.Warn("the computer's clock was set: stamps follow it, the robot goes on", "by", w.sum.Round(time.Millisecond))
	w.sum = 0
}
