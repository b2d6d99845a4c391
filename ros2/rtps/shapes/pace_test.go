// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	p := pace{period: 100 * time.Millisecond}
	now := time.Unix(50, 0)
	for i, step := range []struct{ work, want int }{ // milliseconds
		{0, 100}, {0, 100}, {30, 70}, {140, -40}, {0, 60}, {350, 100}, {0, 100},
	} {
		now = now.Add(ms(step.work))
		got := p.next(now)
		if got != ms(step.want) {
			t.Errorf("round %d: waits %v, want %d ms", i, got, step.want)
		}
		now = now.Add(max(got, 0))
	}
}
