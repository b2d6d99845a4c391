// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// TestBusyMachineIsNoFrozenChip: delays of the driver, before and after any transaction and between two Polls, never
// make a working chip count as frozen or reset.
func TestBusyMachineIsNoFrozenChip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := newRig(t, rapid.Uint64Range(0, 5).Draw(rt, "seed"), &Opts{
			Period: time.Duration(rapid.SampledFrom([]int{0, 50, 100, 500}).Draw(rt, "period")) * time.Millisecond,
		})
		g.until(60)
		g.busy = func() time.Duration {
			return time.Duration(rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 3000)).Draw(rt, "busy, ms")) * time.Millisecond
		}
		var free uint64 // the transfer from which on one may fail
		for range rapid.IntRange(1, 80).Draw(rt, "polls") {
			at := g.time()
			g.now += g.busy()
			if f := g.bus.Faults(); f.Transfers() >= free && rapid.Bool().Draw(rt, "nak") { // now and then a lost byte
				n := f.Transfers() + rapid.Uint64Range(0, 2).Draw(rt, "which")
				if err := f.At(n, vbus.Fault{Kind: vbus.NAK}); err != nil {
					rt.Fatal(err)
				}
				free = n + 4
			}
			_, err := g.dev.Poll(at)
			if s := g.dev.Stats(); s.Losses > 0 || g.dev.State() != device.Running {
				rt.Fatalf("state %v, %v", g.dev.State(), err)
			}
			g.now += time.Duration(rapid.IntRange(1, 60).Draw(rt, "pause")) * time.Millisecond
		}
	})
}
