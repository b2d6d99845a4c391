// SPDX-License-Identifier: Apache-2.0

package builtin_interfaces

import (
	"math"
	"time"
)

// TimeOf converts t. The zero time.Time becomes the zero Time, which in ROS means "no time". A time outside of
// 1901-12-13 … 2038-01-19, the range of 32-bit seconds, is clamped.
func TimeOf(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	sec, nsec := clamp(t.Unix(), int64(t.Nanosecond()))
	return Time{Sec: sec, Nanosec: nsec}
}

// Time converts to UTC. The zero Time becomes the Unix epoch, not the zero time.Time.
func (t Time) Time() time.Time {
	return time.Unix(int64(t.Sec), int64(t.Nanosec)).UTC()
}

// DurationOf converts d, clamped to the range of 32-bit seconds (68 years).
func DurationOf(d time.Duration) Duration {
	sec, nsec := int64(d/time.Second), int64(d%time.Second)
	if nsec < 0 {
		sec, nsec = sec-1, nsec+int64(time.Second)
	}
	s, n := clamp(sec, nsec)
	return Duration{Sec: s, Nanosec: n}
}

// Duration converts to nanoseconds.
func (d Duration) Duration() time.Duration {
	return time.Duration(d.Sec)*time.Second + time.Duration(d.Nanosec)
}

// clamp limits seconds to 32 bits.
func clamp(sec, nsec int64) (int32, uint32) {
	switch {
	case sec < math.MinInt32:
		return math.MinInt32, 0
	case sec > math.MaxInt32:
		return math.MaxInt32, uint32(time.Second - 1)
	}
	return int32(sec), uint32(nsec)
}
