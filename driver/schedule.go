// SPDX-License-Identifier: Apache-2.0

package driver

import "time"

// schedule gives the times of a periodic job. They keep their phase: a late job does not make the following ones late,
// and jobs that were missed are left out, not made up for.
type schedule struct {
	period time.Duration
	next   time.Time
}

// newSchedule returns a schedule whose first job is due at once.
func newSchedule(now time.Time, period time.Duration) schedule {
	return schedule{period: period, next: now}
}

// advance is called when the job that was due has been done and gives the number of jobs missed meanwhile. A clock that
// was set back does not stop the job for longer than a period.
func (s *schedule) advance(now time.Time) (missed int) {
	s.next = s.next.Add(s.period)
	if late := now.Sub(s.next); late >= 0 {
		missed = int(late/s.period) + 1
		s.next = s.next.Add(time.Duration(missed) * s.period)
	}
	if s.next.Sub(now) > s.period {
		s.next = now.Add(s.period)
	}
	return missed
}
