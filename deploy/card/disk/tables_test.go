// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// tables draws a table of consecutive partitions, in any order of their entries.
func tables(t *rapid.T) Table {
	tab, at := Table{ID: rapid.Uint32().Draw(t, "id")}, uint32(1)
	for _, i := range rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "order")[:rapid.IntRange(0, 4).Draw(t, "partitions")] {
		p := Partition{rapid.SampledFrom([]byte{kindFAT, kindLinux, 1, 0xFF}).Draw(t, "kind"), at, 0}
		p.Start += rapid.Uint32Range(0, 1<<28).Draw(t, "gap")
		p.Count = rapid.Uint32Range(1, 1<<28).Draw(t, "count")
		tab.Parts[i], at = p, p.Start+p.Count
	}
	return tab
}

// A table comes out of a sector as it went in, whatever was there; moved by one sector onto a neighbour it is refused.
func TestAnyTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab, sector := tables(t), rapid.SliceOfN(rapid.Byte(), SectorSize, SectorSize).Draw(t, "sector")
		before := slices.Clone(sector)
		tab.Put(sector)
		if got, err := Parse(sector); err != nil || got != tab || !bytes.Equal(sector[:440], before[:440]) {
			t.Fatalf("%+v, not %+v, %v", got, tab, err)
		}
		for i := range tab.Parts {
			for j := range tab.Parts {
				if o := tab.Parts[j]; i != j && tab.Parts[i].Kind != 0 && o.Kind != 0 {
					on := tab
					on.Parts[i].Start, on.Parts[i].Count = o.Start+o.Count-1, 1
					on.Put(sector)
					if _, err := Parse(sector); !errors.Is(err, ErrTable) {
						t.Fatalf("partition %d on the end of %d: %v", i, j, err)
					}
				}
			}
		}
	})
}

// A partition that grows keeps its beginning, ends within the disk at a whole MiB, and grows once; others stay.
func TestAnyGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab, last := tables(t), rapid.IntRange(0, 3).Draw(t, "last")
		sectors := uint64(0)
		for i, p := range tab.Parts {
			if sectors = max(sectors, p.end()); rapid.Bool().Draw(t, "the last") && p.Kind != 0 && p.end() == sectors {
				last = i
			}
		}
		sectors = (sectors/2048+rapid.SampledFrom([]uint64{0, 1, 2, 1 << 20, 1 << 22}).Draw(t, "MiB more"))*2048 +
			rapid.SampledFrom([]uint64{0, 1, 2047}).Draw(t, "sectors more")
		was := tab
		grown := tab.Grow(last, sectors)
		p := tab.Parts[last]
		for i := range tab.Parts {
			if i != last && tab.Parts[i] != was.Parts[i] || grown && i != last && tab.Parts[i].Start > p.Start {
				t.Fatalf("%+v, then %+v", was, tab)
			}
		}
		switch {
		case !grown && tab != was:
			t.Fatalf("changed: %+v, then %+v", was, tab)
		case grown && (p.Start != was.Parts[last].Start || p.Count <= was.Parts[last].Count || p.end()%2048 != 0 || p.end() > min(sectors, 1<<32)):
			t.Fatalf("%+v of %d sectors", p, sectors)
		case tab.Grow(last, sectors):
			t.Fatal("it grows again")
		}
	})
}
