// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCover: every source sample is shared out completely, every destination sample has the same weight, and none is
// left.
func TestCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.IntRange(1, 700).Draw(t, "from"), rapid.IntRange(1, 700).Draw(t, "to")
		taps, weight := cover(from, to)
		if len(taps) != to {
			t.Fatalf("%d taps", len(taps))
		}
		given := make([]uint32, from)
		for i, tap := range taps {
			var sum uint32
			for k := range tap.n {
				w := tap.inner
				switch {
				case k == 0:
					w = tap.first
				case k == tap.n-1:
					w = tap.last
				}
				given[tap.start+k] += w
				sum += w
			}
			if sum != weight {
				t.Fatalf("tap %d weighs %d of %d: %+v", i, sum, weight, tap)
			}
		}
		for i, g := range given {
			if g != taps[0].inner {
				t.Fatalf("source sample %d is counted %d of %d", i, g, taps[0].inner)
			}
		}
	})
}
