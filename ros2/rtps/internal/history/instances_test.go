// SPDX-License-Identifier: Apache-2.0

package history

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestInstancesAgainstModel: the last few changes of each instance are kept, within the limit of the whole history.
func TestInstancesAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit, depth := rapid.IntRange(1, 12).Draw(t, "limit"), rapid.IntRange(1, 3).Draw(t, "depth")
		h := New(limit, nil)
		h.KeepEach(depth)
		var numbers []wire.SequenceNumber // of the held changes
		keys := map[wire.SequenceNumber]byte{}
		for sn := wire.SequenceNumber(1); sn <= 80; sn++ {
			key := rapid.Byte().Draw(t, "key") % 6
			var same []wire.SequenceNumber
			for _, n := range numbers {
				if keys[n] == key {
					same = append(same, n)
				}
			}
			if len(same) >= depth {
				numbers = slices.DeleteFunc(numbers, func(n wire.SequenceNumber) bool { return n == same[0] })
			}
			// The span of numbers is what is limited.
			if len(numbers) > 0 && sn-numbers[0] >= wire.SequenceNumber(limit) {
				numbers = numbers[1:]
			}
			numbers, keys[sn] = append(numbers, sn), key
			c := h.Blank()
			c.SetPayload([]byte{key})
			c.SetInstance(wire.KeyHash{key}, 0)
			h.Push(c)
			for n := range sn + 1 {
				if held := h.Get(n) != nil; held != slices.Contains(numbers, n) {
					t.Fatalf("limit %d, depth %d: after %d: %d held: %v; want %v of %v", limit, depth, sn, n, held, numbers, keys)
				}
			}
		}
	})
}

// TestInstancesForget: instances without held changes are deleted.
func TestInstancesForget(t *testing.T) {
	h := New(4, nil)
	h.KeepEach(2)
	for i := range 1000 {
		c := h.Blank()
		c.SetInstance(wire.KeyHash{byte(i), byte(i >> 8)}, 0)
		h.Push(c)
	}
	if len(h.instances) > h.Limit()+1 {
		t.Errorf("%d instances listed, %d changes held", len(h.instances), h.Limit())
	}
}

// TestHistoryBudget: two histories share a budget; one frees only its own changes, and none if that would not be
// enough.
func TestHistoryBudget(t *testing.T) {
	budget := &memory.Budget{Limit: 100}
	a, b := New(10, budget), New(10, budget)
	push := func(h *History, size int) {
		c := h.Blank()
		c.SetPayload(make([]byte, size))
		h.Push(c)
	}
	push(&a, 60)
	push(&b, 20)
	push(&b, 20)
	switch {
	case budget.Used != 100:
		t.Errorf("%d bytes used", budget.Used)
	case b.Fit(41, b.Next()) || b.Get(1) == nil:
		t.Error("more than it can free: something was freed")
	case b.Fit(10, 0) || b.Get(1) == nil:
		t.Error("nothing acknowledged may go, and something went")
	case !b.Fit(10, b.Next()) || b.Get(1) != nil || b.Get(2) == nil:
		t.Error("10 bytes need the oldest change, and no other")
	}
	a.Clear()
	b.Clear()
	if budget.Used != 0 || a.First() != a.Next() {
		t.Errorf("%d bytes left, changes from %d to %d", budget.Used, a.First(), a.Next())
	}
}

// TestReusedChangeIsBlank: a reused change has nothing of its earlier use but its buffers.
func TestReusedChangeIsBlank(t *testing.T) {
	h := New(1, nil)
	c := h.Blank()
	c.SetPayloads([]byte{1}, []byte{2, 2})
	c.SetRelated(wire.SampleIdentity{SN: 7})
	c.SetInstance(wire.KeyHash{9}, wire.StatusDisposed)
	c.Kind, c.Key, c.At = wire.PayloadKey, 5, time.Unix(1, 0)
	c.Direct(wire.GUID{Entity: 3})
	h.Push(c)
	h.Remove(1)
	again := h.Blank()
	if again != c {
		t.Fatal("the change is not used again")
	}
	again.SetPayload([]byte{4})
	if again.Directed || again.Key != 0 || again.Kind != wire.PayloadData || len(again.Inline) != 0 || again.Status() != 0 ||
		again.Related() != (wire.SampleIdentity{}) || again.Instance() != (wire.KeyHash{}) || again.Target() != (wire.GUID{}) {
		t.Errorf("it begins as %+v", again)
	}
	if got := again.Payload(1); len(got) != 1 || got[0] != 4 {
		t.Errorf("payload of the second variant %v", got)
	}
}

// TestFragments: the fragments of a change cover all of it, and inline QoS reduce the size of each.
func TestFragments(t *testing.T) {
	for _, size := range []int{1, fragmentSize, fragmentSize + 1, 100_000} {
		var plain, inline Change
		plain.SetPayload(make([]byte, size))
		inline.SetPayload(make([]byte, size))
		inline.SetRelated(wire.SampleIdentity{SN: 1})
		for _, c := range []*Change{&plain, &inline} {
			n := int(c.Fragments(0))
			if n*c.Fragment() < size || (n-1)*c.Fragment() >= size {
				t.Errorf("%d bytes in %d pieces of %d", size, n, c.Fragment())
			}
		}
		if plain.Fragment()-inline.Fragment() < len(inline.Inline) {
			t.Errorf("%d bytes of inline QoS in %d", len(inline.Inline), plain.Fragment()-inline.Fragment())
		}
	}
}
