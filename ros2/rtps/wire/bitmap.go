// SPDX-License-Identifier: Apache-2.0

package wire

import "math/bits"

// maxSetBits is the largest number of bits in a set (DDSI-RTPS 9.4.2.6).
const maxSetBits = 256

// bitmap is the bits of a set; bit 0 is the most significant one of word 0.
type bitmap [maxSetBits / 32]uint32

func (m *bitmap) has(i uint32) bool { return m[i/32]>>(31-i%32)&1 != 0 }

func (m *bitmap) set(i uint32) { m[i/32] |= 1 << (31 - i%32) }

// next returns the first position in [i, n) whose bit equals want, or n.
func (m *bitmap) next(i, n uint32, want bool) uint32 {
	for i < n {
		w := m[i/32]
		if !want {
			w = ^w
		}
		w <<= i % 32
		if w != 0 {
			return min(i+uint32(bits.LeadingZeros32(w)), n)
		}
		i = (i/32 + 1) * 32
	}
	return n
}

// count returns how many of the first n bits are set.
func (m *bitmap) count(n uint32) int {
	c := 0
	for i := uint32(0); i < n; i += 32 {
		w := m[i/32]
		if n-i < 32 {
			w &= ^uint32(0) << (32 - (n - i))
		}
		c += bits.OnesCount32(w)
	}
	return c
}

// words returns the number of 32-bit words that hold n bits on the wire.
func words(n uint32) int { return int((n + 31) / 32) }

// read reads the words of n bits from b and clears the bits after n, which the specification leaves undefined.
func (m *bitmap) read(b []byte, o order, n uint32) {
	*m = bitmap{}
	for i := range words(n) {
		m[i] = o.u32(b[4*i:])
	}
	if n%32 != 0 {
		m[n/32] &= ^uint32(0) << (32 - n%32)
	}
}

func (m *bitmap) append(dst []byte, n uint32) []byte {
	for i := range words(n) {
		dst = appendU32(dst, m[i])
	}
	return dst
}
