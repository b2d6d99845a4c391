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
