// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"math"
	"time"
)

// Time is the time since 1970-01-01 UTC in units of 2^-32 s: the 32 bits of seconds and 32 of fraction of Time_t
// (DDSI-RTPS 9.3.2.1) as one number.
type Time uint64

// Special values of Time (9.3.2.1).
const (
	TimeZero     Time = 0
	timeInvalid  Time = math.MaxUint64
	timeInfinite Time = math.MaxUint64 - 1
)

// TimeOf converts t, rounded up to 2^-32 s. Times outside 1970 to 2106 become
// timeInvalid.
func TimeOf(t time.Time) Time {
	s := t.Unix()
	if s < 0 || s > math.MaxUint32 {
		return timeInvalid
	}
	return Time(uint64(s)<<32 | fractionOf(t.Nanosecond()))
}

// IsValid reports whether t is a time and not a special value.
func (t Time) IsValid() bool { return t != timeInvalid && t != timeInfinite }

// Time converts t, rounded to the nanosecond; the zero time.Time if t is not
// valid.
func (t Time) Time() time.Time {
	if !t.IsValid() {
		return time.Time{}
	}
	return time.Unix(int64(t>>32), nanosOf(uint32(t)))
}

// Duration is a time span in units of 2^-32 s: the signed seconds and the fraction of Duration_t (9.3.2.3) as one
// number.
type Duration int64

// Special values of Duration (9.3.2.3).
const (
	durationZero     Duration = 0
	DurationInfinite Duration = math.MaxInt64
	durationInvalid  Duration = -1 << 32 // seconds -1, fraction 0
	// Second is one second.
	Second Duration = 1 << 32
)

// DurationOf converts d, rounded up to 2^-32 s. A value that exceeds 31 bits of seconds becomes DurationInfinite, a
// negative one durationZero.
func DurationOf(d time.Duration) Duration {
	switch {
	case d <= 0:
		return durationZero
	case d > math.MaxInt32*time.Second:
		return DurationInfinite
	}
	return Duration(uint64(d/time.Second)<<32 | fractionOf(int(d%time.Second)))
}

// IsInfinite reports whether d means no limit.
func (d Duration) IsInfinite() bool { return d == DurationInfinite }

// Duration converts d, rounded to the nanosecond. DurationInfinite becomes the
// largest time.Duration.
func (d Duration) Duration() time.Duration {
	if d.IsInfinite() {
		return math.MaxInt64
	}
	return time.Duration(d>>32)*time.Second + time.Duration(nanosOf(uint32(d)))
}

// String returns the span in the form of time.Duration, or "infinite".
func (d Duration) String() string {
	if d.IsInfinite() {
		return "infinite"
	}
	return d.Duration().String()
}

// fractionOf converts nanoseconds below one second, rounded up so that nanosOf is its inverse.
func fractionOf(ns int) uint64 { return (uint64(ns)<<32 + 999_999_999) / 1_000_000_000 }

func nanosOf(fraction uint32) int64 { return int64(uint64(fraction) * 1_000_000_000 >> 32) }

func appendTime(dst []byte, t Time) []byte {
	return appendU32(appendU32(dst, uint32(t>>32)), uint32(t))
}

func appendDuration(dst []byte, d Duration) []byte {
	return appendU32(appendU32(dst, uint32(uint64(d)>>32)), uint32(d))
}

func (o order) time(b []byte) Time {
	return Time(uint64(o.u32(b))<<32 | uint64(o.u32(b[4:])))
}

func (o order) duration(b []byte) Duration { return Duration(o.time(b)) }
