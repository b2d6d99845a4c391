// SPDX-License-Identifier: Apache-2.0

// Package clockwatch detects that the computer's clock was set: stamps of messages follow it, and users who compare
// them should know.
package clockwatch

import (
	"log/slog"
	"time"
)

const (
	// LeastJump is the least change of the wall clock against the monotonic clock, from one check to the next, that
	// counts as a clock that was set. NTP that slews the clock changes it by 0.5 ms a second.
	LeastJump = 200 * time.Millisecond
	// logPause is the least time between two log lines.
	logPause = 10 * time.Second
)

// Watch compares the wall clock with the monotonic clock. Its methods are for one goroutine.
type Watch struct {
	// Wall is the wall clock; monotonic readings are not used. It defaults to time.Now.
	Wall func() time.Time

	log    *slog.Logger
	text   string
	began  time.Time     // with a monotonic reading
	offset time.Duration // of the wall clock from the time since began, at the last check
	known  bool
	logged time.Duration // since began, of the last line
	lines  int
	sum    time.Duration // of the jumps that were not logged yet
}

// New returns a Watch whose log lines are text and the size of the jump.
func New(log *slog.Logger, text string) *Watch {
	return &Watch{Wall: time.Now, log: log, text: text, began: time.Now()}
}

// Check logs by how much the clock was set since the last line, at most one line in 10 s.
func (w *Watch) Check() {
	since := time.Since(w.began)
	offset := time.Duration(w.Wall().UnixNano()) - since
	if jump := offset - w.offset; w.known && jump.Abs() >= LeastJump {
		w.sum += jump
	}
	w.offset, w.known = offset, true
	if w.sum == 0 || w.lines > 0 && since-w.logged < logPause {
		return
	}
	w.log.Warn(w.text, "by", w.sum.Round(time.Millisecond))
	w.logged, w.sum = since, 0
	w.lines++
}
