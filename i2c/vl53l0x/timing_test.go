// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTimeoutCode: encoding rounds down by less than the exponent's step, and decoding inverts it.
func TestTimeoutCode(t *testing.T) {
	for _, c := range []struct {
		n   uint32
		reg uint16
	}{{0, 0}, {1, 0}, {38, 0x25}, {151, 0x96}, {256, 0xFF}, {257, 0x0180}, {509, 0x01FE}, {555, 0x028A}} {
		if got := encodeTimeout(c.n); got != c.reg {
			t.Errorf("%d macro periods: %#04x, want %#04x", c.n, got, c.reg)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint32Range(1, 1<<22).Draw(t, "n")
		reg := encodeTimeout(n)
		back := decodeTimeout(reg)
		if back > n || n-back >= 1<<(reg>>8) || encodeTimeout(back) != reg {
			t.Errorf("%d → %#04x → %d", n, reg, back)
		}
	})
}

// TestTimingFor: the stages add up to the budget, as closely as the registers allow.
func TestTimingFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Profile(rapid.IntRange(0, int(numProfiles)-1).Draw(t, "profile"))
		budget := rapid.Uint32Range(20000, 1000000).Draw(t, "budget")
		g := timingFor(p, time.Duration(budget)*time.Microsecond)
		final := decodeTimeout(encodeTimeout(g.final)) - g.pre
		total := startOverhead + endOverhead + 2*(micros(g.msrc, g.prePeriod)+dssOverhead) +
			micros(g.pre, g.prePeriod) + preOverhead + micros(final, g.finalPeriod) + finalOverhead
		if diff := int64(total) - int64(budget); diff > 60 || float64(-diff) > 0.01*float64(budget)+60 {
			t.Errorf("%v: %d µs for a budget of %d: %+v", p, total, budget, g)
		}
	})
	if g := timingFor(LongRange, time.Microsecond); g.final != g.pre {
		t.Errorf("an impossible budget: %+v", g)
	}
}

func TestMacroPeriod(t *testing.T) {
	// 2304 · 14 · 1655 ps = 53.38 µs
	if macroPeriod(14) != 53384 || micros(1000, 14) != 53384 || macros(53384, 14) != 1000 {
		t.Error(macroPeriod(14), micros(1000, 14), macros(53384, 14))
	}
}

// decodeTimeout is the inverse of encodeTimeout.
func decodeTimeout(reg uint16) uint32 { return uint32(reg&0xFF)<<(reg>>8&0x1F) + 1 }
