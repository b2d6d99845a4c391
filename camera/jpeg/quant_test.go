// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestQuantisationAgainstDivision: reciprocals give what division and rounding give, but for values within 1/8192 of a
// half, for every table, both ranges and every coefficient that can occur.
func TestQuantisationAgainstDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quality := rapid.IntRange(1, 100).Draw(t, "quality")
		chroma, limited := rapid.Bool().Draw(t, "chroma"), rapid.Bool().Draw(t, "limited")
		base, stretch := &lumaQuant, 255.0/219
		if chroma {
			base, stretch = &chromaQuant, 255.0/224
		}
		if !limited {
			stretch = 1
		}
		quant := scaleQuant(base, quality)
		steps := newSteps(&quant, chroma, limited)
		k := rapid.IntRange(0, 63).Draw(t, "k")
		s := &steps.step[k]
		at := int(zigzag[k])
		limit := uint32(1030 * dctScale(at))
		magnitude := rapid.Uint32Range(0, min(limit, 1<<18)).Draw(t, "magnitude")
		exact := float64(magnitude) * stretch / dctScale(at) / float64(quant[at])
		got := s.quantised(magnitude)
		if math.Abs(float64(got)-exact) > 0.5+exact/8192 {
			t.Fatalf("%d becomes %d steps, exactly %.4f", magnitude, got, exact)
		}
		if zero := magnitude <= steps.zero[at]; zero != (got == 0) {
			t.Fatalf("%d becomes %d steps, but the limit of zero is %d", magnitude, got, steps.zero[at])
		}
	})
}

// TestQuantTables: libjpeg's scaling at the ends, the middle and the default.
func TestQuantTables(t *testing.T) {
	for _, c := range []struct {
		quality     int
		first, last byte
	}{{1, 255, 255}, {10, 80, 255}, {25, 32, 198}, {50, 16, 99}, {75, 8, 50}, {80, 6, 40}, {90, 3, 20}, {100, 1, 1}} {
		if q := scaleQuant(&lumaQuant, c.quality); q[0] != c.first || q[63] != c.last {
			t.Errorf("quality %d: first %d, last %d, want %d and %d", c.quality, q[0], q[63], c.first, c.last)
		}
	}
}

func TestZigzagVisitsEveryPlaceOnce(t *testing.T) {
	var seen [64]bool
	for k, at := range zigzag {
		seen[at] = true
		if int(unzigzag[at]) != k {
			t.Errorf("unzigzag[%d] is %d, want %d", at, unzigzag[at], k)
		}
		if k > 0 {
			dv, du := int(at/8)-int(zigzag[k-1]/8), int(at%8)-int(zigzag[k-1]%8)
			if dv*dv > 1 || du*du > 1 {
				t.Errorf("place %d does not touch the one before", k)
			}
		}
	}
	for at, ok := range seen {
		if !ok {
			t.Errorf("place %d is missing", at)
		}
	}
}
