// SPDX-License-Identifier: Apache-2.0

package reassembly

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// begin adds the first fragment of a sample of size bytes to an assembler.
func begin(a *Assembler, sn wire.SequenceNumber, size int) bool {
	*a.now++
	_, ok := a.Add(&cutUp(sn, make([]byte, size), 1000, 1)[0], Info{}, true, time.Unix(100, 0))
	return ok
}

// TestAssemblerCountsMemory: for random fragments the memory in use equals the memory reserved, and all of it is
// released.
func TestAssemblerCountsMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := testAssembler(rapid.IntRange(1000, 20_000).Draw(t, "memory"))
		reliable := rapid.Bool().Draw(t, "reliable")
		now := time.Unix(100, 0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			*a.now++
			now = now.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "ms")) * time.Millisecond)
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				a.Sweep(now)
			case 1:
				a.Evict()
			case 2:
				a.DropBelow(wire.SequenceNumber(rapid.IntRange(1, 8).Draw(t, "below")))
			default:
				size := rapid.IntRange(1, 5000).Draw(t, "size")
				list := cutUp(wire.SequenceNumber(rapid.IntRange(1, 8).Draw(t, "sn")), make([]byte, size), 1000, 1)
				if done, _ := a.Add(&list[rapid.IntRange(0, len(list)-1).Draw(t, "fragment")], Info{}, reliable, now); done != nil {
					a.Recycle(done)
				}
			}
			held := 0
			for _, p := range a.All() {
				held += cap(p.Data)
			}
			if a.spare != nil {
				held += cap(a.spare.Data)
			}
			if held != a.memory.Used || held > a.memory.Limit {
				t.Fatalf("%d bytes held, %d counted, %d allowed", held, a.memory.Used, a.memory.Limit)
			}
		}
		if a.Close(); a.memory.Used != 0 {
			t.Errorf("%d bytes not given back", a.memory.Used)
		}
	})
}

// TestEvict: the unused buffer is freed first, then the newest sample.
func TestEvict(t *testing.T) {
	a := testAssembler(100_000)
	if a.Largest() != 0 || a.Evict() {
		t.Error("something to give up of nothing")
	}
	for sn, size := range []int{3000, 2000, 4000} {
		if !begin(a, wire.SequenceNumber(sn+1), size) {
			t.Fatal("refused")
		}
	}
	a.DropBelow(2) // its buffer is the spare one
	for i, want := range []int{3000, 4000, 2000, 0} {
		if got := a.Largest(); got != want {
			t.Errorf("step %d: %d bytes to free, want %d", i, got, want)
		}
		before := a.memory.Used
		if a.Evict() != (want > 0) || before-a.memory.Used != want {
			t.Errorf("step %d: %d bytes freed, want %d", i, before-a.memory.Used, want)
		}
	}
}

// TestEvictAbove: only samples later than the one that needs the memory are freed.
func TestEvictAbove(t *testing.T) {
	a := testAssembler(10_000)
	a.evictAbove = a.EvictAbove
	begin(a, 5, 4000)
	begin(a, 7, 4000)
	switch {
	case begin(a, 9, 4000) || a.Find(7) == nil:
		t.Error("a later sample took the memory of an earlier one")
	case !begin(a, 6, 4000) || a.Find(7) != nil || a.Find(5) == nil:
		t.Error("an earlier sample did not get the memory of the latest")
	case a.EvictAbove(6):
		t.Error("there is none above 6")
	case a.drops.Memory != 1 || a.drops.Partial != 1:
		t.Errorf("%+v", *a.drops)
	}
}

// TestDropsAreCounted: each reason is counted separately.
func TestDropsAreCounted(t *testing.T) {
	a := testAssembler(1 << 20)
	begin(a, 3, 4000)
	begin(a, 3, 4000) // the same fragment again
	begin(a, 3, 5000) // of another size
	begin(a, 4, 1<<20+1)
	for sn := range wire.SequenceNumber(MaxRepairing) {
		begin(a, 10+sn, 2000)
	}
	if want := (Drops{Size: 1, Window: 1, Contradiction: 1, Duplicate: 1}); *a.drops != want {
		t.Errorf("%+v, want %+v", *a.drops, want)
	}
}

// TestAnnounced: announced fragments are requested once, and not at all if they were received.
func TestAnnounced(t *testing.T) {
	a := testAssembler(1 << 20)
	list := cutUp(1, make([]byte, 10_000), 1000, 1)
	now := time.Unix(100, 0)
	for _, i := range []int{0, 1, 4} {
		a.Add(&list[i], Info{}, true, now)
	}
	p := a.Find(1)
	if p.Announce(3) {
		t.Error("the third is missing: it can't be sure that it is there")
	}
	if p.TakeAnnounced() != 3 || p.TakeAnnounced() != 0 {
		t.Error("announced once, it is asked for once")
	}
	a.Add(&list[2], Info{}, true, now)
	a.Add(&list[3], Info{}, true, now)
	if !p.Announce(5) || p.Announce(99) || p.TakeAnnounced() != 10 {
		t.Error("five of ten are there")
	}
	if got := p.Expected(now.Add(time.Millisecond), time.Second); got != 5 {
		t.Errorf("while fragments come, %d are expected", got)
	}
	if got := p.Expected(now.Add(time.Second), time.Second); got != 10 {
		t.Errorf("after a pause %d are expected", got)
	}
}
