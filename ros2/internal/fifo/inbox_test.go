// SPDX-License-Identifier: Apache-2.0

package fifo

import (
	"math"
	"runtime"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// An inbox is a queue that refuses what exceeds its capacity, also when its positions overflow.
func TestInboxProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := NewInbox[int](1 << rapid.IntRange(1, 3).Draw(t, "capacity"))
		if rapid.Bool().Draw(t, "overflow") {
			q.head = math.MaxUint - 7 // a multiple of each capacity
			q.tail.Store(q.head)
			for i := range q.cells {
				q.cells[i].sequence.Store(q.head + uintptr(i))
			}
		}
		var want []int
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			if q.Ready() != (len(want) > 0) {
				t.Fatalf("ready %v with %d values", q.Ready(), len(want))
			}
			if rapid.Bool().Draw(t, "pop") {
				e, ok := q.Pop()
				if ok != (len(want) > 0) || ok && e != want[0] {
					t.Fatalf("got %d, %v, want the first of %v", e, ok, want)
				}
				want = want[min(1, len(want)):]
				continue
			}
			if pushed := q.Push(i); pushed != (len(want) < len(q.cells)) {
				t.Fatalf("pushed %v with %d of %d values", pushed, len(want), len(q.cells))
			} else if pushed {
				want = append(want, i)
			}
		}
	})
}

// Values of several producers are neither lost nor repeated, and those of one stay in order, while consumers take turns
// under a lock.
func TestInboxOfSeveralProducers(t *testing.T) {
	const producers, consumers, each = 4, 2, 2000
	q := NewInbox[[2]int](8)
	var all sync.WaitGroup
	for i := range producers {
		all.Go(func() {
			for j := range each {
				for !q.Push([2]int{i, j}) {
					runtime.Gosched()
				}
			}
		})
	}
	var mu sync.Mutex
	var next [producers]int
	n := 0
	take := func() (ended bool) {
		mu.Lock()
		defer mu.Unlock()
		e, ok := q.Pop()
		if !ok {
			return n == producers*each
		}
		if e[1] != next[e[0]] {
			t.Errorf("value %d of producer %d, want %d", e[1], e[0], next[e[0]])
		}
		next[e[0]] = e[1] + 1
		n++
		return false
	}
	for range consumers {
		all.Go(func() {
			for !take() {
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	if q.Ready() {
		t.Error("a value remains")
	}
}

// A cell that is reserved and not filled yet delays the values behind it, and the queue is full without it.
func TestInboxWaitsForCell(t *testing.T) {
	q := NewInbox[int](2)
	reserved := q.tail.Add(1) - 1
	if !q.Push(1) || q.Push(2) || q.Ready() {
		t.Error("there is space for other than one value, or it is not delayed")
	}
	q.cells[reserved].value = 0
	q.cells[reserved].sequence.Store(reserved + 1)
	for want := range 2 {
		if e, ok := q.Pop(); !ok || e != want {
			t.Errorf("got %d, %v, want %d", e, ok, want)
		}
	}
}

// A taken value is not kept, and none costs an allocation.
func TestInboxKeepsNothing(t *testing.T) {
	q := NewInbox[*int](4)
	v := new(int)
	if n := testing.AllocsPerRun(100, func() {
		q.Push(v)
		q.Pop()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for i := range q.cells {
		if q.cells[i].value != nil {
			t.Errorf("cell %d keeps its value", i)
		}
	}
}
