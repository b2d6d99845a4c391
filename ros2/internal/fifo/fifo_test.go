// SPDX-License-Identifier: Apache-2.0

package fifo

import (
	"testing"

	"pgregory.net/rapid"
)

func TestQueueProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue[int]
		var want []int
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			if len(want) > 0 && rapid.Bool().Draw(t, "pop") {
				if first, got := q.First(), q.Pop(); got != want[0] || first != got {
					t.Fatalf("first %d, got %d, want %d", first, got, want[0])
				}
				want = want[1:]
			} else {
				q.Push(i)
				want = append(want, i)
			}
			if q.Len() != len(want) {
				t.Fatalf("length %d, want %d", q.Len(), len(want))
			}
		}
	})
}

// TestQueueAllocatesOnlyToGrow: once it has its size a queue does not allocate; a large one is released when it is
// empty.
func TestQueueAllocatesOnlyToGrow(t *testing.T) {
	var q Queue[int]
	if n := testing.AllocsPerRun(100, func() {
		for i := range 8 {
			q.Push(i)
		}
		for range 8 {
			q.Pop()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for i := range 2 * maxKept {
		q.Push(i)
	}
	for range 2 * maxKept {
		q.Pop()
	}
	if len(q.ring) != 0 {
		t.Errorf("space for %d values is kept", len(q.ring))
	}
}
