// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestScheduleKeepsItsPhase(t *testing.T) {
	const period = 50 * time.Millisecond
	for _, c := range []struct {
		name   string
		done   time.Duration // when the job due at 0 was done
		missed int
		next   time.Duration
	}{
		{"in time", 8 * time.Millisecond, 0, period},
		{"just in time", period - 1, 0, period},
		{"at the next one's time", period, 1, 2 * period},
		{"one missed", 60 * time.Millisecond, 1, 2 * period},
		{"many missed", 1234 * time.Millisecond, 24, 25 * period},
		{"clock set back by an hour", -time.Hour, 0, -time.Hour + period},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(epoch, period)
			missed := s.Advance(epoch.Add(c.done))
			if next := s.Next.Sub(epoch); missed != c.missed || next != c.next {
				t.Errorf("missed %d, next at %v; want %d, %v", missed, next, c.missed, c.next)
			}
		})
	}
}

// Whatever the jobs take, the next one is in the future, at most a period away, and on the grid.
func TestScheduleDoesNotDrift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := time.Duration(rapid.Int64Range(1e6, 1e9).Draw(t, "period"))
		now := epoch
		s := New(now, period)
		jobs, missed := 0, 0
		for range rapid.IntRange(1, 50).Draw(t, "jobs") {
			now = s.Next.Add(time.Duration(rapid.Int64Range(0, 3*int64(period)).Draw(t, "takes")))
			missed += s.Advance(now)
			jobs++
			if wait := s.Next.Sub(now); wait <= 0 || wait > period {
				t.Fatalf("next job in %v", wait)
			}
		}
		if want := epoch.Add(time.Duration(jobs+missed) * period); !s.Next.Equal(want) {
			t.Fatalf("after %d jobs and %d missed next is %v off the grid", jobs, missed, s.Next.Sub(want))
		}
	})
}
