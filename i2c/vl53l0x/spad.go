// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"fmt"
	"math/bits"
)

// The reference SPADs are photodiodes that receive the laser inside the chip. Their map has 44 bits in 6 bytes, the
// lowest bit of the first byte first. Those from bit 12 on are behind an aperture.
const (
	spadBits      = 48
	firstAperture = 12
)

// spads is the configuration of the reference SPADs in the chip's memory.
type spads struct {
	count    int  // how many to use
	aperture bool // those behind the aperture
	good     [6]byte
}

// answer decodes the byte of the chip's memory with count and kind.
func (s *spads) answer(b byte) error {
	s.count, s.aperture = int(b&0x7F), b&0x80 != 0
	limit := firstAperture
	if s.aperture {
		limit = 32
	}
	if s.count == 0 || s.count > limit {
		return fmt.Errorf("%w: %d of kind %d in the chip's memory, at most %d are possible", errSPADs, s.count, b>>7, limit)
	}
	return nil
}

// load stores the map of good SPADs, and fails if it has fewer than count.
func (s *spads) load(b []byte) error {
	copy(s.good[:], b)
	var m [6]byte
	s.enabled(m[:])
	n := 0
	for _, b := range m {
		n += bits.OnesCount8(b)
	}
	if n < s.count {
		return fmt.Errorf("%w: %d are to be used, the map % x has only %d", errSPADs, s.count, s.good, n)
	}
	return nil
}

// enabled writes the map of SPADs to use into m: the first count good ones of the right kind.
func (s *spads) enabled(m []byte) {
	first, left := 0, s.count
	if s.aperture {
		first = firstAperture
	}
	for i := range spadBits {
		bit := byte(1) << (i % 8)
		if i%8 == 0 {
			m[i/8] = 0
		}
		if i >= first && left > 0 && s.good[i/8]&bit != 0 {
			m[i/8] |= bit
			left--
		}
	}
}
