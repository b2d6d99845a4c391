// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// FuzzReceive sends the processor any bytes, cut into messages by their first
// byte's low five bits: whatever comes, its replies are well formed and its
// motors within what their timers can do.
func FuzzReceive(f *testing.F) {
	good := make([]byte, 21)
	good[0], good[1], good[2], good[19], good[20] = 20, 0xF4, 1, 1, 0xF4
	f.Add(good, uint8(0))
	f.Add(append([]byte{3, 1, 2, 3}, good...), uint8(0))
	f.Add([]byte{31, 30, 29, 28, 27}, uint8(2))
	f.Add([]byte{}, uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, firmware uint8) {
		g := newRig(func(c *vmcu.Config) { c.Firmware = vmcu.Firmware(firmware % 3) })
		for len(data) > 0 {
			n := min(int(data[0]&0x1f), len(data)-1)
			sent := data[1 : 1+n]
			data = data[1+n:]
			taken := g.raw(sent)
			g.wait(17 * time.Millisecond)
			if taken < 0 || taken > n {
				t.Fatalf("%d of %d bytes taken", taken, n)
			}
			if firmware%3 != uint8(vmcu.York) && xor(g.reply[:46]) != g.reply[46] {
				t.Fatalf("wrong checksum in % x", g.reply)
			}
			if l, r := g.Speed(); l*l > 1112*1112 || r*r > 1112*1112 {
				t.Fatalf("speeds %v, %v steps/s", l, r)
			}
		}
	})
}
