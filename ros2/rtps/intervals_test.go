// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestIntervalsAgainstSet compares the list with the plain set it stands for.
func TestIntervalsAgainstSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list intervals
		set := map[wire.SequenceNumber]bool{}
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			first := wire.SequenceNumber(rapid.IntRange(1, 120).Draw(t, "first"))
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				list.dropBelow(first)
				for sn := range set {
					if sn < first {
						delete(set, sn)
					}
				}
				continue
			}
			last := first + wire.SequenceNumber(rapid.IntRange(-1, 20).Draw(t, "width"))
			if !list.add(first, last) {
				t.Fatal("no room in a short list")
			}
			for sn := first; sn <= last; sn++ {
				set[sn] = true
			}
		}
		for sn := wire.SequenceNumber(1); sn <= 150; sn++ {
			if _, ok := list.find(sn); ok != set[sn] {
				t.Fatalf("%d: list %v says %v", sn, list, ok)
			}
		}
		for i := 1; i < len(list); i++ {
			if list[i-1].last+1 >= list[i].first {
				t.Fatalf("not disjoint: %v", list)
			}
		}
	})
}

// TestIntervalsOfAnyWidth: a GAP over all numbers costs one entry, and many small ones are refused rather than stored.
func TestIntervalsOfAnyWidth(t *testing.T) {
	var list intervals
	if !list.add(5, 1<<62) || len(list) != 1 {
		t.Fatalf("%v", list)
	}
	if gap, ok := list.find(1 << 61); !ok || gap.last != 1<<62 {
		t.Errorf("%v %v", gap, ok)
	}
	list = nil
	for i := range wire.SequenceNumber(1000) {
		list.add(10*i+1, 10*i+2)
	}
	if len(list) != maxIntervals {
		t.Errorf("%d entries", len(list))
	}
	if !list.add(1, 10_000) || len(list) != 1 {
		t.Errorf("%v", list)
	}
}
