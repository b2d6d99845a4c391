// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"testing"
	"time"
)

// TestLimiter: one event per interval, on the clocks of simulations and of the day, and one after it was set back.
func TestLimiter(t *testing.T) {
	for _, start := range []time.Time{{}, time.Unix(0, 0), time.Date(2026, time.November, 27, 0, 0, 0, 0, time.UTC)} {
		var l limiter
		for i, c := range []struct {
			after   time.Duration
			allowed bool
		}{{0, true}, {0, false}, {logInterval - 1, false}, {logInterval, true}, {logInterval + 1, false}, {0, true}} {
			if got := l.allow(start.Add(c.after)); got != c.allowed {
				t.Errorf("from %v, event %d: %v", start, i, got)
			}
		}
	}
}
