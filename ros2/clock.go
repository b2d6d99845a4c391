// SPDX-License-Identifier: Apache-2.0

package ros2

import "time"

// Clock is a source of time. Implementations are safe for concurrent use.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
	// NewTimer returns a timer that sends the time on its channel once d has passed on this clock. Stop or Reset it
	// after handling it: a simulation's clock waits for that.
	NewTimer(d time.Duration) Timer
}

// Timer fires once after each start, as [time.Timer] does: after Stop or Reset
// no stale time is received from the channel.
type Timer interface {
	// C returns the channel on which the time is sent.
	C() <-chan time.Time
	// Reset restarts the timer; it reports whether it was running.
	Reset(d time.Duration) bool
	// Stop stops the timer; it reports whether it was running.
	Stop() bool
}

// SystemClock returns the clock of the machine.
func SystemClock() Clock { return systemClock{} }

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.Timer.C }

// Stamp splits t as builtin_interfaces/msg/Time holds it: whole seconds since 1970 rounded down, and the nanoseconds
// after them. Times beyond the 32-bit seconds of the message are clamped. The zero time becomes 0, 0, which ROS treats
// as "no time".
func Stamp(t time.Time) (sec int32, nanosec uint32) {
	if t.IsZero() {
		return 0, 0
	}
	switch s := t.Unix(); {
	case s > maxStampSec:
		return maxStampSec, 999_999_999
	case s < minStampSec:
		return minStampSec, 0
	default:
		return int32(s), uint32(t.Nanosecond())
	}
}

// FromStamp is the inverse of [Stamp].
func FromStamp(sec int32, nanosec uint32) time.Time {
	if sec == 0 && nanosec == 0 {
		return time.Time{}
	}
	return time.Unix(int64(sec), int64(nanosec))
}

const (
	maxStampSec = 1<<31 - 1
	minStampSec = -1 << 31
)

// Seconds returns s seconds, with parts of a second, as a duration. Values beyond the range of a duration (about 292
// years) are clamped; NaN becomes 0.
func Seconds(s float64) time.Duration {
	ns := s * float64(time.Second)
	switch {
	case ns >= float64(1<<63-1):
		return 1<<63 - 1
	case ns <= -float64(1<<63-1):
		return -1 << 63
	case ns != ns:
		return 0
	}
	return time.Duration(ns)
}
