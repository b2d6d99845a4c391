// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// TestSoak: after random faults, restarts and disconnections the chip always recovers, no Poll makes more transactions
// than allowed, and a lost chip returns no reading.
func TestSoak(t *testing.T) {
	for seed := range uint64(4) {
		g := newRig(t, seed, Addr+uint16(seed%4), false, nil)
		for range 10 {
			if err := g.bus.Faults().SetRates(vbus.Rates{
				NAK: 0.02, DataNAK: 0.01, Timeout: 0.01, ReadNAK: 0.01, ReadTimeout: 0.01, CorruptRead: 0.005, Restart: 0.002,
			}); err != nil {
				t.Fatal(err)
			}
			for i := range 200 {
				g.chip.Inject(vmag.Faults{Unplugged: i%100 > 90})
				fresh, _ := g.poll()
				if err := g.dev.Sense(&Reading{}); fresh && err != nil || err == nil && g.dev.State() != device.Running {
					t.Fatalf("seed %d: fresh %v, %v, %v", seed, fresh, err, g.dev.State())
				}
			}
			if err := g.bus.Faults().SetRates(vbus.Rates{}); err != nil {
				t.Fatal(err)
			}
			g.chip.Inject(vmag.Faults{})
			g.until(100) // it may have been configured wrongly during the faults
			near(t, "field after the bad times", g.until(100).Field, g.field, 4e-6)
		}
		if g.most > 8 {
			t.Errorf("seed %d: %d transactions in a Poll", seed, g.most)
		}
	}
}
