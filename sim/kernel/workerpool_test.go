// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

// Every piece of every phase is done once, and before the phase is over, however many workers there are and whatever
// they do meanwhile.
func TestWorkerPoolDoesEveryPieceOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	rapid.Check(t, func(t *rapid.T) {
		var p workerPool
		done := make([]atomic.Int32, 500)
		for phase := range int32(rapid.IntRange(1, 50).Draw(t, "phases")) {
			p.resize(rapid.IntRange(0, 5).Draw(t, "workers"))
			n := rapid.IntRange(0, len(done)).Draw(t, "pieces")
			slow := rapid.IntRange(-1, n).Draw(t, "slow")
			p.do(n, func(i int) {
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

// All workers take part in every phase, also those that were about to end when it began: each piece here waits for the
// others.
func TestAllWorkersTakePartInEveryPhase(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var p workerPool
	p.resize(3)
	for phase := range 200 {
		var arrived atomic.Int32
		all := make(chan struct{})
		p.do(4, func(int) {
			if arrived.Add(1) == 4 {
				close(all)
			}
			<-all
		})
		for phase%2 == 0 && slices.ContainsFunc(p.running, (*atomic.Bool).Load) { // until some are about to end
			runtime.Gosched()
		}
	}
}

// Workers without work end by themselves, and are started again: the bubble ends when all of them have.
func TestIdleWorkersEnd(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		var p workerPool
		for range 100 {
			p.resize(3)
			p.do(100, func(int) {})
			for _, running := range p.running {
				for running.Load() {
					runtime.Gosched()
				}
			}
		}
	})
}

// Pieces leave a share at the front for its owner and at the back for others, each once, however they meet.
func TestShareIsCutAtBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s share
		low := rapid.IntRange(0, 100).Draw(t, "from")
		high := low + rapid.IntRange(0, 1000).Draw(t, "pieces")
		s.deal(low, high)
		for front := rapid.Bool(); ; {
			owner := front.Draw(t, "owner")
			from, end := s.cut(owner)
			if from >= end {
				break
			}
			if owner && from != low || !owner && end != high || end-from > chunk {
				t.Fatalf("cut %d to %d of %d to %d, owner %t", from, end, low, high, owner)
			}
			if owner {
				low = end
			} else {
				high = from
			}
		}
		if low != high {
			t.Fatalf("%d to %d are left", low, high)
		}
	})
}
