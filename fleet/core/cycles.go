// SPDX-License-Identifier: Apache-2.0

package core

import "time"

// Cycles counts the control cycles of a robot.
type Cycles struct {
	Made int           // number of exchanges with the microcontroller
	Lost int           // periods lost in gaps that exceed the period by more than 10 %
	Late int           // cycles that were more than half a period late
	Gap  time.Duration // longest time between two successive cycles
}

// Share returns the share of lost cycles, 0 to 1.
func (c Cycles) Share() float64 {
	if c.Made+c.Lost == 0 {
		return 0
	}
	return float64(c.Lost) / float64(c.Made+c.Lost)
}

// CycleCounter counts control cycles and their delays. The zero value is ready.
type CycleCounter struct {
	last   time.Time
	behind time.Duration
	cycles Cycles
}

// Cycle counts a control cycle at a time; period is the nominal time between two.
func (b *CycleCounter) Cycle(at time.Time, period time.Duration) {
	c := &b.cycles
	c.Made++
	if c.Made > 1 {
		gap := at.Sub(b.last)
		c.Gap = max(c.Gap, gap)
		if over := gap - period; over > period/10 {
			b.behind += over
		}
		c.Lost = int(b.behind / period)
		if gap > period*3/2 {
			c.Late++
		}
	}
	b.last = at
}

// Cycles returns the counts.
func (b *CycleCounter) Cycles() Cycles { return b.cycles }
