// SPDX-License-Identifier: Apache-2.0

package reassembly

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// cutUp returns the DATA_FRAGs of a sample, with perSubmessage fragments each.
func cutUp(sn wire.SequenceNumber, payload []byte, size uint16, perSubmessage int) (list []wire.DataFrag) {
	total := int(wire.FragmentCount(uint32(len(payload)), size))
	for first := 1; first <= total; first += perSubmessage {
		n := min(perSubmessage, total-first+1)
		from := (first - 1) * int(size)
		list = append(list, wire.DataFrag{
			SN: sn, First: wire.FragmentNumber(first), Count: uint16(n), FragmentSize: size, SampleSize: uint32(len(payload)),
			Payload: payload[from:min(from+n*int(size), len(payload))],
		})
	}
	return list
}

func testAssembler(limit int) *Assembler {
	a := New(&memory.Share{Total: &memory.Budget{Limit: limit}, Limit: limit}, &Drops{}, 1<<20, new(uint64), nil)
	return &a
}

// TestReassembly: fragments of any size, several in a submessage, duplicated and in any order yield the sample.
func TestReassembly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payload := rapid.SliceOfN(rapid.Byte(), 1, 3000).Draw(t, "payload")
		size := uint16(rapid.IntRange(1, 1500).Draw(t, "fragment size"))
		per := rapid.IntRange(1, 12).Draw(t, "in a submessage")
		frags := cutUp(3, payload, size, per)
		order := rapid.Permutation(append(frags, frags...)).Draw(t, "order")
		a := testAssembler(1 << 20)
		for i := range order {
			*a.now++
			done, ok := a.Add(&order[i], Info{}, true, time.Now())
			if !ok {
				t.Fatal("refused")
			}
			if done == nil {
				continue
			}
			if !bytes.Equal(done.Data, payload) || done.SN != 3 {
				t.Fatal("not the sample")
			}
			a.Recycle(done)
			return
		}
		t.Fatal("not complete")
	})
}

// TestReassemblyLimits: what is rejected, and that memory is released.
func TestReassemblyLimits(t *testing.T) {
	now := time.Now()
	payload := make([]byte, 10_000)
	first := func(sn wire.SequenceNumber) *wire.DataFrag { return &cutUp(sn, payload, 1344, 1)[0] }

	a := testAssembler(25_000)
	for sn, want := range map[wire.SequenceNumber]bool{1: true, 2: true} {
		if _, ok := a.Add(first(sn), Info{}, true, now); ok != want {
			t.Errorf("sample %d: %v", sn, ok)
		}
	}
	if _, ok := a.Add(first(3), Info{}, true, now); ok {
		t.Error("more than the budget was taken")
	}
	contradiction := *first(1)
	contradiction.SampleSize = 9000
	if _, ok := a.Add(&contradiction, Info{}, true, now); ok {
		t.Error("another size of the same sample was taken")
	}
	large := *first(1)
	large.SN, large.SampleSize = 9, 1<<20+1
	if _, ok := a.Add(&large, Info{}, true, now); ok {
		t.Error("a sample above the limit was taken")
	}
	if n := a.Sweep(now.Add(partialTimeout + 1)); n != 2 || len(a.parts) != 0 {
		t.Errorf("swept %d", n)
	}
	a.Close()
	if a.memory.Used != 0 {
		t.Errorf("%d bytes not given back", a.memory.Used)
	}
}

// TestReassemblyDropsWhenFull: best effort drops the oldest sample, reliable the newest.
func TestReassemblyDropsWhenFull(t *testing.T) {
	payload := make([]byte, 3000)
	for _, keepOldest := range []bool{false, true} {
		limit := maxPartials
		if keepOldest {
			limit = MaxRepairing
		}
		a := testAssembler(1 << 20)
		for sn := range wire.SequenceNumber(limit + 1) {
			*a.now++
			a.Add(&cutUp(sn+10, payload, 1344, 1)[0], Info{}, keepOldest, time.Now())
		}
		*a.now++
		_, ok := a.Add(&cutUp(9, payload, 1344, 1)[0], Info{}, keepOldest, time.Now())
		if ok != keepOldest || len(a.parts) != limit {
			t.Errorf("keepOldest %v: older one taken %v, %d parts", keepOldest, ok, len(a.parts))
		}
		if oldest := a.parts[0].SN; keepOldest && oldest != 9 || !keepOldest && oldest != 11 {
			t.Errorf("keepOldest %v: oldest is %d", keepOldest, oldest)
		}
		if n := a.DropBelow(1000); n != limit {
			t.Errorf("dropped %d", n)
		}
	}
}

func TestMissingSet(t *testing.T) {
	a := testAssembler(1 << 20)
	frags := cutUp(1, make([]byte, 700_000), 1000, 1)
	for i := range frags {
		if i != 4 && i != 6 && i < 400 && i != 390 {
			a.Add(&frags[i], Info{}, true, time.Now())
		}
	}
	p := a.Find(1)
	set := p.MissingSet(1, p.count)
	if set.Base != 5 || set.Len() != 2 || !set.Contains(7) {
		t.Errorf("%+v", set)
	}
	set = p.MissingSet(set.Base+wire.FragmentNumber(set.NumBits), p.count)
	if set.Base != 391 || set.Contains(400) || !set.Contains(401) || set.NumBits != 256 {
		t.Errorf("%+v", set)
	}
	if set = p.MissingSet(8, 390); set.Base != 0 {
		t.Errorf("%+v", set)
	}
}
