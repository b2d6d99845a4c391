// SPDX-License-Identifier: Apache-2.0

package vimu_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vimu"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// FuzzChip: whatever is written to chip and magnetometer, they do not crash, and after power was gone they measure.
func FuzzChip(f *testing.F) {
	f.Add(uint8(0), []byte{0x02, 0x6B, 0x80, 0x31, 0x3B, 0x06, 0x19, 9, 3, 8, 0, 3})
	f.Add(uint8(3), []byte{0x02, 0x7F, 0x30, 0x04, 0x13, 0x8C, 0x01, 0x80, 0x04, 0x03, 0x8C, 0x3F, 0x8F, 0x02, 0x7F, 0x00, 0x02, 0x03, 0x20, 0x31, 0x2D})
	f.Add(uint8(0), []byte{0x02, 0x37, 0x02, 0x42, 0x0A, 0x16, 0x71, 0x02, 0x51, 0xFF})
	f.Fuzz(func(t *testing.T, model uint8, b []byte) {
		g := newRig(t, vimu.Config{Model: vimu.Model(model % 4)})
		r := make([]byte, 24)
		for len(b) > 0 {
			n := min(int(b[0]&0x0F), len(b)-1)
			flags := b[0]
			var chip vbus.Chip = g.Chip
			if m := g.Magnetometer(); m != nil && flags&0x40 != 0 && m.Ready() {
				chip = m
			}
			chip.Receive(b[1 : 1+n])
			b = b[1+n:]
			if flags&0x10 != 0 {
				chip.Transmit(r)
			}
			if flags&0x20 != 0 {
				g.now += 30 * time.Millisecond
			}
		}
		g.Restart()
		data, power := byte(0x3B), byte(0x6B)
		if vimu.Model(model%4) == vimu.ICM20948 {
			data, power = 0x2D, 0x06
		}
		g.w(power, 0x01)
		g.wait(100)
		if z := g.words(data, 3)[2]; z < 14000 || z > 19000 {
			t.Errorf("gravity %d", z)
		}
	})
}
