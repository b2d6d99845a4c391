// SPDX-License-Identifier: Apache-2.0

package node

import (
	"log/slog"
	"time"
)

// maxStampGap is the longest time between two successive stamps; a longer one, or a stamp before its predecessor,
// means that the clock was set.
const maxStampGap = 10 * time.Second

// jumpLogPause is the minimum time between two log lines about jumps.
const jumpLogPause = 10 * time.Second

// Stamps converts the stamps of messages, which follow the sender's clock, to a time that is continuous when that
// clock is set. The zero value is ready to use, by one goroutine.
type Stamps struct {
	last, at time.Time
	logged   time.Time
	jumps    int // since the last line
}

// Next returns the continuous time of the next message: for the first one its stamp, then advanced by the difference
// of each stamp from the one before. A jump, back or by more than 10 s, does not advance it; jump is its size, else
// 0.
func (s *Stamps) Next(stamp time.Time) (at time.Time, jump time.Duration) {
	if s.last.IsZero() {
		s.last, s.at = stamp, stamp
		return s.at, 0
	}
	since := stamp.Sub(s.last)
	s.last = stamp
	if since < 0 || since > maxStampGap {
		return s.at, since
	}
	s.at = s.at.Add(since)
	return s.at, 0
}

// Log logs a jump of the size that Next returned, at most once in 10 s.
func (s *Stamps) Log(log *slog.Logger, jump time.Duration) {
	now := time.Now()
	s.jumps++
	if !s.logged.IsZero() && now.Sub(s.logged) < jumpLogPause {
		return
	}
	log.Warn("the stamps of odometry have jumped: the clock of its computer was set, or it was not reachable; mapping continues from there",
		"jump", jump, "jumps", s.jumps)
	s.logged, s.jumps = now, 0
}
