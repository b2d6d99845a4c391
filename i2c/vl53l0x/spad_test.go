// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"errors"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

func TestSPADs(t *testing.T) {
	for _, c := range []struct {
		answer byte
		good   [6]byte
		want   [6]byte
	}{
		{0x03, [6]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, [6]byte{0x07}},
		{0x83, [6]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, [6]byte{0, 0x70}},
		{0x05, [6]byte{0x11, 0x0F}, [6]byte{0x11, 0x07}},
		{0x86, [6]byte{0xFF, 0x2F, 0x81, 0, 0x07, 0x0F}, [6]byte{0, 0x20, 0x81, 0, 0x07}},
	} {
		var s spads
		if err := s.answer(c.answer); err != nil {
			t.Errorf("%#02x: %v", c.answer, err)
		}
		if err := s.load(c.good[:]); err != nil {
			t.Errorf("%#02x: %v", c.answer, err)
		}
		var m [6]byte
		s.enabled(m[:])
		if m != c.want {
			t.Errorf("%#02x of % x: % x, want % x", c.answer, c.good, m, c.want)
		}
	}
}

// TestSPADsProperty: the requested number, all good, of the right kind, or an error.
func TestSPADsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s spads
		err := s.answer(rapid.Byte().Draw(t, "answer"))
		if err == nil {
			err = s.load(rapid.SliceOfN(rapid.Byte(), 6, 6).Draw(t, "good"))
		}
		if err != nil {
			if !errors.Is(err, errSPADs) {
				t.Error(err)
			}
			return
		}
		m := [6]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}
		s.enabled(m[:])
		n := 0
		for i, b := range m {
			n += bits.OnesCount8(b)
			if b&^s.good[i] != 0 {
				t.Errorf("bad SPADs on: % x of % x", m, s.good)
			}
		}
		if n != s.count || s.aperture && (m[0] != 0 || m[1]&0x0F != 0) {
			t.Errorf("%d of %d on: % x", n, s.count, m)
		}
	})
}
