// SPDX-License-Identifier: Apache-2.0

package yuv

import "sync"

// fraction is the number of fractional bits in the tables. With 21, sums stay below 2³¹ and every one of the 2²⁴ inputs
// rounds as the real-valued formula does (a test tries them all).
const fraction = 21

// tables are the terms of the conversion to RGB for each byte value: R = y + cr.outer, G = y + cr.green + cb.green, B =
// y + cb.outer. The half for rounding is in y. 5 KB: they fit into the ARM1176's 16 KB data cache together with the
// rows being converted.
type tables struct {
	y      [256]int32
	cb, cr [256]chroma
	luma   [256]byte // Y in full range
	full   bool      // y is i<<fraction, and the half for rounding is in the chroma: see fullRow
}

// chroma is the contribution of one value of Cb to green and blue, or of Cr to green and red.
type chroma struct{ green, outer int32 }

// BT.601's weights of red and blue in luma.
const (
	kr = 0.299
	kb = 0.114
	kg = 1 - kr - kb
)

// scales returns luma's offset and the factors from luma and chroma to 0 … 255 and ±127.5.
func (r Range) scales() (offset, luma, chroma float64) {
	if r == Limited {
		return 16, 255.0 / 219, 255.0 / 224
	}
	return 0, 1, 1
}

func newTables(r Range) *tables {
	offset, luma, colour := r.scales()
	const one = 1 << fraction
	t := &tables{full: r != Limited}
	for i := range 256 {
		y, c := (float64(i)-offset)*luma, (float64(i)-128)*colour
		t.y[i] = round(y*one) + one/2
		t.cb[i] = chroma{round(-2 * (1 - kb) * kb / kg * c * one), round(2 * (1 - kb) * c * one)}
		t.cr[i] = chroma{round(-2 * (1 - kr) * kr / kg * c * one), round(2 * (1 - kr) * c * one)}
		t.luma[i] = byte(clamp(t.y[i] >> fraction))
		if t.full {
			t.cb[i].outer += one / 2
			t.cr[i].outer += one / 2
			t.cr[i].green += one / 2
		}
	}
	return t
}

func round(v float64) int32 {
	if v < 0 {
		return int32(v - 0.5)
	}
	return int32(v + 0.5)
}

// The tables are computed at first use.
var (
	fullTables    = sync.OnceValue(func() *tables { return newTables(Full) })
	limitedTables = sync.OnceValue(func() *tables { return newTables(Limited) })
)

func (r Range) tables() *tables {
	if r == Limited {
		return limitedTables()
	}
	return fullTables()
}

// clamp limits v to 0 to 255. The unsigned comparison catches both sides, and hardly any pixel needs it.
func clamp(v int32) int32 {
	if uint32(v) > 255 {
		v = ^(v >> 31) & 255
	}
	return v
}
