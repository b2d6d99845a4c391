// SPDX-License-Identifier: Apache-2.0

package vtof_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// talk plays bytes as messages to a chip: a length, whether to read, and how long to wait come from a first byte each.
func talk(c interface {
	Receive(w []byte) int
	Transmit(r []byte)
}, now *time.Duration, b []byte) {
	r := make([]byte, 16)
	for len(b) > 0 {
		n := min(int(b[0]&0x0F), len(b)-1)
		read, wait := b[0]&0x10 != 0, b[0]&0x20 != 0
		c.Receive(b[1 : 1+n])
		b = b[1+n:]
		if read {
			c.Transmit(r)
		}
		if wait {
			*now += 40 * time.Millisecond
		}
	}
}

// FuzzChip: whatever is written to the chip, it does not crash, and starts again as a new one.
func FuzzChip(f *testing.F) {
	f.Add([]byte{0x02, 0xFF, 0x01, 0x12, 0x91, 0x00, 0x22, 0x00, 0x02, 0x11, 0x14})
	f.Add([]byte{0x03, 0xF8, 0, 0, 0x05, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0x22, 0x00, 0x04, 0x31, 0x13})
	f.Add([]byte{0x02, 0xBF, 0x00, 0x11, 0xC0, 0x02, 0xBF, 0x01, 0x11, 0xC0})
	f.Fuzz(func(t *testing.T, b []byte) {
		g := newRig(t, 1)
		talk(g.Chip, &g.now, b)
		g.bringUpAfter(b)
	})
}

// bringUpAfter brings the chip up after a reset and wants a good measurement.
func (g *rig) bringUpAfter(b []byte) {
	g.Restart()
	g.bringUp()
	if status, mm, ok := g.measure(); !ok || status != 11 || mm != 532 {
		g.t.Errorf("after % x: status %d, %d mm, %v", b, status, mm, ok)
	}
}

// FuzzRegisters: the same with settings that make sense up to one register of the fuzzer's choice.
func FuzzRegisters(f *testing.F) {
	f.Add(uint8(0), uint8(0x71), uint8(0xFF), uint8(2))
	f.Add(uint8(0), uint8(0xF8), uint8(0x00), uint8(4))
	f.Add(uint8(1), uint8(0x30), uint8(0xFF), uint8(2))
	f.Fuzz(func(t *testing.T, page, reg, value, mode uint8) {
		g := newRig(t, 2)
		g.Chip = vtof.New(vtof.Config{Now: func() time.Duration { return g.now }, Scene: g, Noise: noise.New(2)})
		g.bringUp()
		g.w(0xFF, page)
		g.w(reg, value)
		g.w(reg+1, value)
		g.w(0xFF, 0)
		g.w(0x00, mode)
		for range 20 {
			g.now += 10 * time.Millisecond
			g.r(0x13, 13)
		}
	})
}
