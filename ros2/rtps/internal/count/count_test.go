// SPDX-License-Identifier: Apache-2.0

package count

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

func TestFilterRejectsLowerCountsForHalfASecond(t *testing.T) {
	var f Filter
	now := time.Now()
	for i, c := range []struct {
		after time.Duration
		count wire.Count
		want  bool
	}{
		{0, 0, true}, {0, 0, false}, {0, 1, true}, {0, 1, false}, {0, 5, true}, {0, 4, false},
		{0, math.MaxInt32, true}, {0, math.MinInt32, true}, {0, math.MaxInt32, false},
		{499 * time.Millisecond, math.MinInt32 + 3, true},
		{499 * time.Millisecond, math.MinInt32 + 2, false}, {time.Millisecond, 2, true},
		{0, 2, false}, {500 * time.Millisecond, 2, true},
	} {
		now = now.Add(c.after)
		if got := f.Accept(c.count, now); got != c.want {
			t.Errorf("step %d: count %d: %v", i, c.count, got)
		}
	}
}

// TestFilterNeverBlocksForLong: whatever the earlier counts, after half a second without an accepted one any count is
// accepted, and those after it.
func TestFilterNeverBlocksForLong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f Filter
		now := time.Now()
		for range rapid.IntRange(0, 20).Draw(t, "before") {
			now = now.Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "wait")) * time.Millisecond)
			f.Accept(wire.Count(rapid.Int32().Draw(t, "count")), now)
		}
		now = now.Add(Timeout)
		next := wire.Count(rapid.Int32().Draw(t, "next"))
		for i := range wire.Count(3) {
			if !f.Accept(next+i, now) {
				t.Fatalf("count %d, %d after the first, refused", next+i, i)
			}
		}
	})
}
