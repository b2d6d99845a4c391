// SPDX-License-Identifier: Apache-2.0

package interval

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestIntervalsAgainstSet compares the list with a plain set.
func TestIntervalsAgainstSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list List
		set := map[wire.SequenceNumber]bool{}
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			first := wire.SequenceNumber(rapid.IntRange(1, 120).Draw(t, "first"))
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				list.DropBelow(first)
				for sn := range set {
					if sn < first {
						delete(set, sn)
					}
				}
				continue
			}
			last := first + wire.SequenceNumber(rapid.IntRange(-1, 20).Draw(t, "width"))
			if !list.Add(first, last) {
				t.Fatal("no capacity in a short list")
			}
			for sn := first; sn <= last; sn++ {
				set[sn] = true
			}
		}
		for sn := wire.SequenceNumber(1); sn <= 150; sn++ {
			if _, ok := list.Find(sn); ok != set[sn] {
				t.Fatalf("%d: list %v says %v", sn, list, ok)
			}
		}
		for i := 1; i < len(list); i++ {
			if list[i-1].Last+1 >= list[i].First {
				t.Fatalf("not disjoint: %v", list)
			}
		}
	})
}

// TestIntervalsOfAnyWidth: a GAP over all numbers costs one entry, and too many small ones are rejected rather than
// stored.
func TestIntervalsOfAnyWidth(t *testing.T) {
	var list List
	if !list.Add(5, 1<<62) || len(list) != 1 {
		t.Fatalf("%v", list)
	}
	if gap, ok := list.Find(1 << 61); !ok || gap.Last != 1<<62 {
		t.Errorf("%v %v", gap, ok)
	}
	list = nil
	for i := range wire.SequenceNumber(1000) {
		list.Add(10*i+1, 10*i+2)
	}
	if len(list) != most {
		t.Errorf("%d entries", len(list))
	}
	if !list.Add(1, 10_000) || len(list) != 1 {
		t.Errorf("%v", list)
	}
}
