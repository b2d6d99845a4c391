// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"runtime"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// Every piece of every phase is done once, and before the phase is over, however many members there are and whatever
// they do meanwhile.
func TestCrewDoesEveryPieceOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	rapid.Check(t, func(t *rapid.T) {
		var c crew
		defer c.dismiss()
		done := make([]atomic.Int32, 500)
		for phase := range int32(rapid.IntRange(1, 50).Draw(t, "phases")) {
			c.hire(rapid.IntRange(0, 5).Draw(t, "members"))
			n := rapid.IntRange(0, len(done)).Draw(t, "pieces")
			slow := rapid.IntRange(-1, n).Draw(t, "slow")
			c.do(n, func(i int) {
				if i == slow {
					runtime.Gosched()
				}
				done[i].Add(1)
			})
			for i := range done {
				if got := done[i].Swap(0); got != 1 && i < n || got != 0 && i >= n {
					t.Fatalf("phase %d of %d pieces: piece %d was done %d times", phase, n, i, got)
				}
			}
		}
	})
}

// A crew that is dismissed leaves no goroutine behind, and can be hired again.
func TestCrewGoesHome(t *testing.T) {
	var c crew
	before := runtime.NumGoroutine()
	for range 100 {
		c.hire(3)
		c.do(100, func(int) {})
		c.dismiss()
	}
	for runtime.NumGoroutine() > before { // the last ones may be on their way out
		runtime.Gosched()
	}
}
