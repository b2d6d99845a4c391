// SPDX-License-Identifier: Apache-2.0

package vmag_test

import (
	"testing"
	"time"
)

// FuzzChip: whatever is written to the chip, it does not crash, and after power was gone it measures.
func FuzzChip(f *testing.F) {
	f.Add([]byte{0x02, 0x4B, 0x01, 0x02, 0x4C, 0x38, 0x31, 0x42})
	f.Add([]byte{0x02, 0x4B, 0x01, 0x03, 0x51, 0xFF, 0xFF, 0x02, 0x4C, 0x00, 0x31, 0x7F})
	f.Fuzz(func(t *testing.T, b []byte) {
		g := newRig(1, false)
		r := make([]byte, 16)
		for len(b) > 0 {
			n := min(int(b[0]&0x0F), len(b)-1)
			flags := b[0]
			g.Receive(b[1 : 1+n])
			b = b[1+n:]
			if flags&0x10 != 0 {
				g.Transmit(r)
			}
			if flags&0x20 != 0 {
				g.now += 200 * time.Millisecond
			}
		}
		g.Restart()
		g.run()
		if _, _, _, _, ok := g.data(); !ok {
			t.Error("does not measure")
		}
	})
}

// TestForced: one measurement of what is there when it begins, which lasts as long as its repetitions; then the chip
// sleeps.
func TestForced(t *testing.T) {
	for _, c := range []struct {
		xy, z byte
		takes time.Duration // data sheet, 4.2.4
	}{{4, 14, 9785 * time.Microsecond}, {1, 2, 2915 * time.Microsecond}, {0x17, 0x52, 49295 * time.Microsecond}} {
		g := newRig(1, true)
		g.w(0x4B, 1)
		g.w(0x51, c.xy, c.z)
		g.field = [3]float64{300e-6, 0, 0}
		for range 2 {
			g.w(0x4C, 0x02)
			g.field[0] = -g.field[0]
			g.now += c.takes - 1
			if b := g.r(0x42, 8); b[6]&1 != 0 || g.r(0x4C, 1)[0] != 0x02 {
				t.Errorf("%d and %d repetitions: % x before its time", c.xy, c.z, b)
			}
			g.now++
			x, _, _, _, ok := g.data()
			if want := g.field[0] < 0; !ok || (x > 0) != want || g.r(0x4C, 1)[0] != 0x06 {
				t.Errorf("%d and %d repetitions: %d, %v, mode %#02x", c.xy, c.z, x, ok, g.r(0x4C, 1)[0])
			}
			if _, _, _, _, ok := g.data(); ok {
				t.Error("measures again by itself")
			}
		}
	}
}

// TestForcedIsForgotten when the power goes, or the chip is suspended.
func TestForcedIsForgotten(t *testing.T) {
	for name, end := range map[string]func(g *rig){
		"power": func(g *rig) { g.Restart() }, "suspended": func(g *rig) { g.w(0x4B, 0) },
		"put to sleep": func(g *rig) { g.w(0x4C, 0x06) },
	} {
		g := newRig(1, true)
		g.w(0x4B, 1)
		g.w(0x4C, 0x02)
		end(g)
		g.w(0x4B, 1)
		if _, _, _, _, ok := g.data(); ok {
			t.Errorf("%s: measured all the same", name)
		}
	}
}
