// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// quest decides whether a robot that moves also gets nearer to its goal. A robot that looks for a path to a place that
// can't be reached, behind walls, would find gaps without end in what its sensors observe of them.
type quest struct {
	last    time.Time
	without time.Duration // since the last fruit, recoveries left out
	nearest float64       // the least that was left of a way, m
	known   int           // cells of which something was known
	longest float64       // of the ways since then, m
}

// newCells is how many cells count as something new: 50 cm².
const newCells = 50

// fruitless reports whether the robot, whose way to the goal is still so long, m, has neither come nearer nor seen
// anything new for so long that it never will.
func (q *quest) fruitless(remaining float64, known int, now time.Time, c Config) bool {
	nearer := remaining < q.nearest-0.01
	if q.last.IsZero() || nearer || known > q.known+newCells {
		*q = quest{last: now, nearest: remaining, known: max(known, q.known)}
	}
	q.without += max(0, min(now.Sub(q.last), time.Second))
	q.last = now
	q.longest = max(q.longest, remaining)
	drive := 2 * q.longest / c.Limits.Speed
	return q.without > c.Fruitless+time.Duration(drive*float64(time.Second))
}

// known counts the cells of which something is known.
func known(m *mapping.Map) (n int) {
	if m == nil {
		return 0
	}
	for _, v := range m.Cells {
		if v != mapping.Unknown {
			n++
		}
	}
	return n
}
