// SPDX-License-Identifier: Apache-2.0

package core

import "time"

// Cycles are the control cycles of a robot, from its first to its last.
type Cycles struct {
	Made int           // exchanges with the microcontroller
	Lost int           // periods that it is behind, by gaps more than a tenth longer than one
	Late int           // cycles that came more than half a period late
	Gap  time.Duration // the longest time between two
}

// Share is which part of the cycles was lost, 0 to 1.
func (c Cycles) Share() float64 {
	if c.Made+c.Lost == 0 {
		return 0
	}
	return float64(c.Lost) / float64(c.Made+c.Lost)
}

// Beat counts control cycles by when they are made. The zero value is ready.
type Beat struct {
	last   time.Time
	behind time.Duration
	cycles Cycles
}

// Cycle counts a control cycle at a time; the period is that from one to the next as it should be.
func (b *Beat) Cycle(at time.Time, period time.Duration) {
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

// Cycles returns what was counted.
func (b *Beat) Cycles() Cycles { return b.cycles }
