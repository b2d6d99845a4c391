// SPDX-License-Identifier: Apache-2.0

package alarm

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestInstants: they have the order and the differences of their times, and are after the zero Instant, whatever the
// first of a queue was.
func TestInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moment := rapid.Custom(func(t *rapid.T) time.Time {
			return time.Unix(rapid.Int64Range(0, 1_000_000_000).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		})
		q := NewQueue()
		first, a, b := moment.Draw(t, "first"), moment.Draw(t, "a"), moment.Draw(t, "b")
		q.Instant(first)
		i, j := q.Instant(a), q.Instant(b)
		if i <= 0 || j <= 0 {
			t.Fatalf("%v is %d, %v is %d", a, i, b, j)
		}
		if i.Sub(j) != a.Sub(b) || (i < j) != a.Before(b) || i != j.Add(a.Sub(b)) {
			t.Fatalf("%v is %d, %v is %d", a, i, b, j)
		}
		if !q.Time(i).Equal(a) {
			t.Fatalf("%v came back as %v", a, q.Time(i))
		}
	})
}

// TestInstantsKeepTheMonotonicClock: a robot's clock jumps by years when it is first synchronised; alarms are not
// affected.
func TestInstantsKeepTheMonotonicClock(t *testing.T) {
	q := NewQueue()
	before := time.Now()
	jumped := before.Add(time.Second).Round(0).AddDate(30, 0, 0) // wall clock only
	if got := q.Instant(before.Add(time.Second)).Sub(q.Instant(before)); got != time.Second {
		t.Errorf("a second is %v", got)
	}
	if back := q.Time(q.Instant(before)); back != before {
		t.Errorf("%v came back without its monotonic clock: %v", before, back)
	}
	if q.Instant(jumped) <= q.Instant(before) {
		t.Error("a later wall clock is not later")
	}
}
