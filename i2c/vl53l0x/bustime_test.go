// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// busTime polls n times at 20 Hz and returns the maximum and mean bus time of a Poll at 100 kHz.
func (g *rig) busTime(n int) (worst, mean time.Duration) {
	for range n {
		begin := g.now
		_, err := g.dev.Poll(g.time())
		if err != nil {
			g.errs = append(g.errs, err)
		}
		busy := g.now - begin
		worst, mean = max(worst, busy), mean+busy/time.Duration(n)
		g.now = begin + 50*time.Millisecond
	}
	return worst, mean
}

// TestBusTime checks the figures of the package documentation, in simulated time.
func TestBusTime(t *testing.T) {
	limit := func(what string, got, want time.Duration) {
		t.Helper()
		if got > want {
			t.Errorf("%s: %v of bus time, more than %v", what, got, want)
		}
	}
	g := newRig(t, 1, nil)
	worst, _ := g.busTime(30)
	limit("bring-up", worst, 3200*time.Microsecond)
	if g.dev.State() != device.Running {
		t.Fatal("30 polls do not bring the chip up", g.errs)
	}
	worst, mean := g.busTime(100)
	limit("measuring", worst, 2100*time.Microsecond)
	limit("measuring, mean", mean, 2100*time.Microsecond)

	// A missing chip, and one that holds the clock: its own attempts, then one a second.
	g.chip.Inject(vtof.Faults{Unplugged: true})
	g.busTime(5)
	_, mean = g.busTime(200)
	limit("absent", mean, 10*time.Microsecond)
	g.chip.Inject(vtof.Faults{})
	g.until(60)
	if err := g.bus.Faults().Hold(vbus.Fault{Kind: vbus.Timeout}); err != nil {
		t.Fatal(err)
	}
	worst, _ = g.busTime(5)
	limit("hanging", worst, 20*time.Millisecond)
	_, mean = g.busTime(200)
	limit("hanging, mean", mean, 1100*time.Microsecond)
}

// TestSoak: after random faults, restarts and disconnections the chip always recovers, no Poll makes more transactions
// than allowed, and a lost chip returns no reading.
func TestSoak(t *testing.T) {
	for seed := range uint64(2) {
		g := newRig(t, seed, nil)
		for range 10 {
			if err := g.bus.Faults().SetRates(vbus.Rates{
				NAK: 0.02, DataNAK: 0.01, Timeout: 0.01, ReadNAK: 0.01, ReadTimeout: 0.01, CorruptRead: 0.005, Restart: 0.002,
			}); err != nil {
				t.Fatal(err)
			}
			for i := range 200 {
				g.chip.Inject(vtof.Faults{Unplugged: i%100 > 90})
				fresh, _ := g.poll()
				if err := g.dev.Sense(&Reading{}); fresh && err != nil || err == nil && g.dev.State() != device.Running {
					t.Fatalf("seed %d: fresh %v, %v, %v", seed, fresh, err, g.dev.State())
				}
			}
			if err := g.bus.Faults().SetRates(vbus.Rates{}); err != nil {
				t.Fatal(err)
			}
			g.chip.Inject(vtof.Faults{})
			g.until(100) // it may have been configured wrongly during the faults
			if r := g.until(100); r.Status != statusValid {
				t.Fatalf("seed %d: %+v", seed, r)
			}
		}
		if g.most > 8 {
			t.Errorf("seed %d: %d transactions in a Poll", seed, g.most)
		}
	}
}
