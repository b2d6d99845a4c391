// SPDX-License-Identifier: Apache-2.0

// Package schedule computes the times of periodic jobs, without a clock of its own.
package schedule

import "time"

// Schedule is the schedule of a periodic job. It keeps the phase: a late job does not delay the following ones, and
// missed jobs are skipped.
type Schedule struct {
	// Period is the time from one job to the next.
	Period time.Duration
	// Next is the time of the next job.
	Next time.Time
}

// New returns a schedule whose first job is due at once.
func New(now time.Time, period time.Duration) Schedule {
	return Schedule{Period: period, Next: now}
}

// Advance schedules the next job after the current one was done, and returns the number of jobs missed meanwhile. A
// clock that was set back does not delay the job by more than a period.
func (s *Schedule) Advance(now time.Time) (missed int) {
	s.Next = s.Next.Add(s.Period)
	if late := now.Sub(s.Next); late >= 0 {
		missed = int(late/s.Period) + 1
		s.Next = s.Next.Add(time.Duration(missed) * s.Period)
	}
	if s.Next.Sub(now) > s.Period {
		s.Next = now.Add(s.Period)
	}
	return missed
}
