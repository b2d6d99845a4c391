// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"context"
	"time"
)

// deadlinePeriod is the period of checking deadlines.
const deadlinePeriod = 50 * time.Millisecond

// pace schedules rounds with a period: a late round does not delay those after it, unless it is late by a whole period.
type pace struct {
	period time.Duration
	due    time.Time
}

// next returns how long to wait for the next round.
func (p *pace) next(now time.Time) time.Duration {
	if p.due = p.due.Add(p.period); now.Sub(p.due) > p.period || p.due.Sub(now) > p.period {
		p.due = now.Add(p.period)
	}
	return p.due.Sub(now)
}

// wait pauses, calling check meanwhile if checking is set. It returns false if the context ended.
func wait(ctx context.Context, pause time.Duration, checking bool, check func()) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	var tick <-chan time.Time
	if checking {
		t := time.NewTicker(deadlinePeriod)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-tick:
			check()
		}
	}
}
