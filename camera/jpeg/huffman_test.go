// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"fmt"
	"testing"
)

// TestKnownCodes: codes as T.81's tables K.3 to K.6 print them.
func TestKnownCodes(t *testing.T) {
	h := standardCodes()
	for _, c := range []struct {
		name   string
		code   code
		need   uint32
		wanted string
	}{
		{"luma DC 0", h.dc[0][0], 0, "00"},
		{"luma DC 5", h.dc[0][5], 5, "110"},
		{"luma DC 11", h.dc[0][11], 11, "111111110"},
		{"chroma DC 0", h.dc[1][0], 0, "00"},
		{"chroma DC 11", h.dc[1][11], 11, "11111111110"},
		{"luma end of block", h.ac[0][endOfBlock], 0, "1010"},
		{"luma sixteen zeros", h.ac[0][zeroRun], 0, "11111111001"},
		{"luma 0/1", h.ac[0][0x01], 1, "00"},
		{"luma 0/5", h.ac[0][0x05], 5, "11010"},
		{"luma 15/10", h.ac[0][0xFA], 10, "1111111111111110"},
		{"chroma end of block", h.ac[1][endOfBlock], 0, "00"},
		{"chroma sixteen zeros", h.ac[1][zeroRun], 0, "1111111010"},
		{"chroma 0/1", h.ac[1][0x01], 1, "01"},
		{"chroma 15/10", h.ac[1][0xFA], 10, "1111111111111110"},
	} {
		got := fmt.Sprintf("%0*b", c.code.size-c.need, c.code.bits>>c.need)
		if got != c.wanted || c.code.bits&(1<<c.need-1) != 0 {
			t.Errorf("%s: code %s and %d value bits, want %s", c.name, got, c.need, c.wanted)
		}
	}
}

// TestCodesArePrefixFree: every symbol baseline JPEG has a code for, no code begins another, and none is all ones.
func TestCodesArePrefixFree(t *testing.T) {
	for i := range standardTables {
		table := &standardTables[i]
		var codes [256]code
		table.assign(&codes)
		total := 0
		for _, n := range table.counts {
			total += int(n)
		}
		if want := map[byte]int{0: 12, 0x10: 162}[table.class&0x10]; total != want || len(table.values) != want {
			t.Errorf("table %#x has %d codes for %d values, want %d", table.class, total, len(table.values), want)
		}
		seen := map[string]byte{}
		for _, v := range table.values {
			need := uint32(v & 15)
			size := codes[v].size - need
			if size < 2 || size > 16 || codes[v].bits>>need == 1<<size-1 {
				t.Errorf("table %#x: symbol %#x has the code %b of %d bits", table.class, v, codes[v].bits>>need, size)
			}
			seen[fmt.Sprintf("%0*b", size, codes[v].bits>>need)] = v
		}
		for a := range seen {
			for n := 1; n < len(a); n++ {
				if v, ok := seen[a[:n]]; ok {
					t.Errorf("table %#x: the code of %#x begins that of %#x", table.class, v, seen[a])
				}
			}
		}
		if len(seen) != len(table.values) {
			t.Errorf("table %#x: %d codes for %d values", table.class, len(seen), len(table.values))
		}
	}
}
