// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// SequenceNumberSet is a set of sequence numbers in a window of 256
// (DDSI-RTPS 9.4.2.6).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|                  SequenceNumber base (high, low)              |
//	+                                                               +
//	|                                                               |
//	+---------------+---------------+---------------+---------------+
//	|              unsigned long numBits, at most 256               |
//	+---------------+---------------+---------------+---------------+
//	|     (numBits+31)/32 words; base is the highest bit of the first |
//	+---------------+---------------+---------------+---------------+
type SequenceNumberSet struct {
	// Base is the number of bit 0.
	Base SequenceNumber
	// NumBits is the size of the window, 0 to 256.
	NumBits uint32
	// Bitmap holds the bits, bit 0 as the most significant one.
	Bitmap [8]uint32
}

// MaxSetBits is the largest window of a set.
const MaxSetBits = maxSetBits

func (s *SequenceNumberSet) bits() *bitmap { return (*bitmap)(&s.Bitmap) }

// Add adds sn to the set, extending the window. It returns false if sn is outside [Base, Base+256).
func (s *SequenceNumberSet) Add(sn SequenceNumber) bool { return s.AddRange(sn, sn) }

// AddRange adds the numbers from first to last that are in [Base, Base+256). It returns false if one is not.
func (s *SequenceNumberSet) AddRange(first, last SequenceNumber) bool {
	end := min(last, s.Base+maxSetBits-1)
	for sn := max(first, s.Base); sn <= end; sn++ {
		i := uint32(sn - s.Base)
		s.bits().set(i)
		s.NumBits = max(s.NumBits, i+1)
	}
	return first >= s.Base && last <= end
}

// Contains reports whether sn is in the set.
func (s *SequenceNumberSet) Contains(sn SequenceNumber) bool {
	return sn >= s.Base && sn-s.Base < SequenceNumber(s.NumBits) && s.bits().has(uint32(sn-s.Base))
}

// Len returns how many numbers are in the set.
func (s *SequenceNumberSet) Len() int { return s.bits().count(s.NumBits) }

// Empty reports whether no number is in the set.
func (s *SequenceNumberSet) Empty() bool { return s.Len() == 0 }

// Intervals yields the intervals of consecutive numbers in the set in rising order:
//
//	for first, last := range set.Intervals { … }
func (s *SequenceNumberSet) Intervals(yield func(first, last SequenceNumber) bool) {
	for i := s.bits().next(0, s.NumBits, true); i < s.NumBits; {
		end := s.bits().next(i, s.NumBits, false)
		if !yield(s.Base+SequenceNumber(i), s.Base+SequenceNumber(end)-1) {
			return
		}
		i = s.bits().next(end, s.NumBits, true)
	}
}

// String returns base, window and the intervals.
func (s *SequenceNumberSet) String() string {
	out := fmt.Sprintf("%d/%d:", s.Base, s.NumBits)
	for first, last := range s.Intervals {
		out += fmt.Sprintf(" %d-%d", first, last)
	}
	return out
}

// size returns the size on the wire, bytes.
func (s *SequenceNumberSet) size() int { return 12 + 4*words(min(s.NumBits, maxSetBits)) }

func (s *SequenceNumberSet) append(dst []byte) []byte {
	n := min(s.NumBits, maxSetBits)
	return s.bits().append(appendU32(appendSN(dst, s.Base), n), n)
}

// decode decodes a set at the start of b and returns its size; 0 if the set is truncated or too large. The caller
// checks the base.
func (s *SequenceNumberSet) decode(b []byte, o order) int {
	if len(b) < 12 {
		return 0
	}
	n := o.u32(b[8:])
	if n > maxSetBits || len(b) < 12+4*words(n) {
		return 0
	}
	s.Base, s.NumBits = o.sn(b), n
	s.bits().read(b[12:], o, n)
	return s.size()
}
