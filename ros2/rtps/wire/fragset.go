// SPDX-License-Identifier: Apache-2.0

package wire

// FragmentNumberSet is a set of fragment numbers in a window of 256
// (DDSI-RTPS 9.4.2.8).
//
//	 0...............8...............16..............24.............32
//	+---------------+---------------+---------------+---------------+
//	|                     unsigned long base                        |
//	+---------------+---------------+---------------+---------------+
//	|              unsigned long numBits, at most 256               |
//	+---------------+---------------+---------------+---------------+
//	|                    (numBits+31)/32 words                      |
//	+---------------+---------------+---------------+---------------+
type FragmentNumberSet struct {
	// Base is the number of bit 0.
	Base FragmentNumber
	// NumBits is the size of the window, 0 to 256.
	NumBits uint32
	// Bitmap holds the bits, bit 0 as the most significant one.
	Bitmap [8]uint32
}

func (s *FragmentNumberSet) bits() *bitmap { return (*bitmap)(&s.Bitmap) }

// Add adds fn to the set, extending the window. It returns false if fn is outside [Base, Base+256).
func (s *FragmentNumberSet) Add(fn FragmentNumber) bool {
	if fn < s.Base || fn-s.Base >= maxSetBits {
		return false
	}
	i := uint32(fn - s.Base)
	s.bits().set(i)
	s.NumBits = max(s.NumBits, i+1)
	return true
}

// Contains reports whether fn is in the set.
func (s *FragmentNumberSet) Contains(fn FragmentNumber) bool {
	return fn >= s.Base && uint32(fn-s.Base) < s.NumBits && s.bits().has(uint32(fn-s.Base))
}

// Len returns how many numbers are in the set.
func (s *FragmentNumberSet) Len() int { return s.bits().count(s.NumBits) }

func (s *FragmentNumberSet) size() int { return 8 + 4*words(min(s.NumBits, maxSetBits)) }

func (s *FragmentNumberSet) append(dst []byte) []byte {
	n := min(s.NumBits, maxSetBits)
	return s.bits().append(appendU32(appendU32(dst, uint32(s.Base)), n), n)
}

// decode decodes a set at the start of b and returns its size; 0 if the set is truncated, too large, or exceeds the
// largest fragment number.
func (s *FragmentNumberSet) decode(b []byte, o order) int {
	if len(b) < 8 {
		return 0
	}
	base, n := o.u32(b), o.u32(b[4:])
	if n > maxSetBits || len(b) < 8+4*words(n) || base > ^uint32(0)-maxSetBits {
		return 0
	}
	s.Base, s.NumBits = FragmentNumber(base), n
	s.bits().read(b[8:], o, n)
	return s.size()
}
