// SPDX-License-Identifier: Apache-2.0

package builtin_interfaces_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
)

func TestTimeOf(t *testing.T) {
	for _, c := range []struct {
		in   time.Time
		want builtin_interfaces.Time
	}{
		{time.Time{}, builtin_interfaces.Time{}},
		{time.Unix(0, 0), builtin_interfaces.Time{}},
		{time.Unix(1700000000, 999999999), builtin_interfaces.Time{Sec: 1700000000, Nanosec: 999999999}},
		{time.Unix(-1, 5), builtin_interfaces.Time{Sec: -1, Nanosec: 5}},
		{time.Unix(0, -1), builtin_interfaces.Time{Sec: -1, Nanosec: 999999999}},
		{time.Unix(math.MaxInt32, 7), builtin_interfaces.Time{Sec: math.MaxInt32, Nanosec: 7}},
		{time.Unix(math.MaxInt32+1, 7), builtin_interfaces.Time{Sec: math.MaxInt32, Nanosec: 999999999}},
		{time.Unix(math.MinInt32-1, 7), builtin_interfaces.Time{Sec: math.MinInt32}},
	} {
		if got := builtin_interfaces.TimeOf(c.in); got != c.want {
			t.Errorf("TimeOf(%v) = %+v, want %+v", c.in, got, c.want)
		}
	}
}

func TestDurationOf(t *testing.T) {
	for _, c := range []struct {
		in   time.Duration
		want builtin_interfaces.Duration
	}{
		{0, builtin_interfaces.Duration{}},
		{1500 * time.Millisecond, builtin_interfaces.Duration{Sec: 1, Nanosec: 500000000}},
		{-1500 * time.Millisecond, builtin_interfaces.Duration{Sec: -2, Nanosec: 500000000}},
		{-time.Nanosecond, builtin_interfaces.Duration{Sec: -1, Nanosec: 999999999}},
		{math.MaxInt64, builtin_interfaces.Duration{Sec: math.MaxInt32, Nanosec: 999999999}},
		{math.MinInt64, builtin_interfaces.Duration{Sec: math.MinInt32}},
	} {
		if got := builtin_interfaces.DurationOf(c.in); got != c.want {
			t.Errorf("DurationOf(%v) = %+v, want %+v", c.in, got, c.want)
		}
	}
}

func TestConversionsInvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := builtin_interfaces.Time{Sec: rapid.Int32().Draw(t, "sec"), Nanosec: rapid.Uint32Range(0, 999999999).Draw(t, "nanosec")}
		if got := builtin_interfaces.TimeOf(m.Time()); got != m {
			t.Fatalf("TimeOf(%v) = %+v, want %+v", m.Time(), got, m)
		}
		d := builtin_interfaces.Duration(m)
		if got := builtin_interfaces.DurationOf(d.Duration()); got != d {
			t.Fatalf("DurationOf(%v) = %+v, want %+v", d.Duration(), got, d)
		}
	})
}
