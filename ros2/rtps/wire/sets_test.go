// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"testing"

	"pgregory.net/rapid"
)

// drawSequenceSet draws a set by adding numbers, with the numbers it holds.
func drawSequenceSet(t *rapid.T) (SequenceNumberSet, map[SequenceNumber]bool) {
	s := SequenceNumberSet{Base: SequenceNumber(rapid.Int64Range(1, int64(maxSequenceNumber)).Draw(t, "base"))}
	in := map[SequenceNumber]bool{}
	for _, i := range rapid.SliceOfN(rapid.Int64Range(0, 300), 0, 60).Draw(t, "offsets") {
		sn := s.Base + SequenceNumber(i)
		if s.Add(sn) != (i < maxSetBits) {
			t.Fatalf("Add(base+%d)", i)
		}
		if i < maxSetBits {
			in[sn] = true
		}
	}
	return s, in
}

// TestSequenceNumberSet: membership, count and intervals agree with a map, and the set survives encoding and decoding.
func TestSequenceNumberSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, in := drawSequenceSet(t)
		if s.Len() != len(in) || s.Empty() != (len(in) == 0) || s.Add(s.Base-1) {
			t.Fatalf("%v: Len %d, want %d", s.String(), s.Len(), len(in))
		}
		for i := SequenceNumber(-2); i < 300; i++ {
			if s.Contains(s.Base+i) != in[s.Base+i] {
				t.Fatalf("%v: Contains(base+%d)", s.String(), i)
			}
		}
		n, before := 0, s.Base-2
		for first, last := range s.Intervals {
			if first <= before+1 || last < first {
				t.Fatalf("interval %d-%d after %d", first, last, before)
			}
			for sn := first; sn <= last; sn++ {
				if n++; !in[sn] {
					t.Fatalf("%d is in an interval", sn)
				}
			}
			before = last
		}
		if n != len(in) {
			t.Fatalf("%d numbers in intervals, want %d", n, len(in))
		}
		var back SequenceNumberSet
		b := s.append(nil)
		if got := back.decode(b, littleEndian); got != len(b) || got != s.size() || back != s {
			t.Fatalf("%v becomes %v", s.String(), back.String())
		}
	})
}

func TestSequenceNumberSetAddRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := SequenceNumber(rapid.Int64Range(1, 600).Draw(t, "first"))
		last := SequenceNumber(rapid.Int64Range(1, 600).Draw(t, "last"))
		s := SequenceNumberSet{Base: 200}
		all := s.AddRange(first, last)
		if want := first >= 200 && last <= 455; all != want {
			t.Fatalf("AddRange(%d, %d) = %v", first, last, all)
		}
		for sn := SequenceNumber(1); sn < 600; sn++ {
			if want := sn >= first && sn <= last && sn >= 200 && sn < 456; s.Contains(sn) != want {
				t.Fatalf("AddRange(%d, %d): Contains(%d) = %v", first, last, sn, !want)
			}
		}
	})
	s := SequenceNumberSet{Base: 1} // a huge range costs no more than the window
	if s.AddRange(1, maxSequenceNumber) || s.Len() != MaxSetBits || s.String() != "1/256: 1-256" {
		t.Error(s.String())
	}
}

// TestSequenceNumberSetUndefinedBits: bits after numBits are ignored.
func TestSequenceNumberSetUndefinedBits(t *testing.T) {
	var s SequenceNumberSet
	if n := s.decode(unhex(t, `00000000 05000000 03000000 ffffffff`), littleEndian); n != 16 || s.Len() != 3 ||
		s.Bitmap[0] != 0xe0000000 {
		t.Errorf("%v", s.String())
	}
}

// TestFragmentNumberSet is TestSequenceNumberSet for fragments.
func TestFragmentNumberSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := FragmentNumberSet{Base: FragmentNumber(rapid.Uint32Range(1, ^uint32(0)-600).Draw(t, "base"))}
		in := map[FragmentNumber]bool{}
		for _, i := range rapid.SliceOfN(rapid.Uint32Range(0, 300), 0, 60).Draw(t, "offsets") {
			if s.Add(s.Base+FragmentNumber(i)) != (i < maxSetBits) {
				t.Fatalf("Add(base+%d)", i)
			}
			if i < maxSetBits {
				in[s.Base+FragmentNumber(i)] = true
			}
		}
		if s.Len() != len(in) || s.empty() != (len(in) == 0) || s.Add(s.Base-1) || s.Contains(s.Base-1) {
			t.Fatalf("Len %d, want %d", s.Len(), len(in))
		}
		n := 0
		for first, last := range s.intervals {
			for fn := first; fn <= last; fn++ {
				if n++; !in[fn] || !s.Contains(fn) {
					t.Fatalf("%d is in an interval", fn)
				}
			}
			if s.Contains(last+1) || s.Contains(first-1) {
				t.Fatalf("interval %d-%d is not maximal", first, last)
			}
		}
		var back FragmentNumberSet
		b := s.append(nil)
		if got := back.decode(b, littleEndian); n != len(in) || got != len(b) || got != s.size() || back != s {
			t.Fatalf("%d numbers in intervals, want %d; decoded %v", n, len(in), back)
		}
	})
}

// TestSetIntervalsStop: the iteration ends when the loop does, and allocates
// nothing.
func TestSetIntervalsStop(t *testing.T) {
	s := SequenceNumberSet{Base: 1}
	f := FragmentNumberSet{Base: 1}
	for i := range 100 {
		s.Add(SequenceNumber(1 + 2*i))
		f.Add(FragmentNumber(1 + 2*i))
	}
	n := 0
	allocs := testing.AllocsPerRun(10, func() {
		for range s.Intervals {
			n++
			break
		}
		for range f.intervals {
			n++
			break
		}
	})
	if n != 22 || allocs != 0 { // AllocsPerRun runs once more to warm up
		t.Errorf("%d rounds, %v allocations", n, allocs)
	}
}
