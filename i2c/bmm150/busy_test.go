// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// TestBusyMachineIsNoFrozenChip: delays of the driver, before and after any transaction and between two Polls, never
// make a working chip count as frozen or reset.
func TestBusyMachineIsNoFrozenChip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		opts := rapid.SampledFrom([]Opts{{}, {Preset: LowPower, Rate: 30}, {Preset: HighAccuracy, Rate: 15}}).Draw(rt, "options")
		g := newRig(t, rapid.Uint64Range(0, 5).Draw(rt, "seed"), Addr, false, &opts)
		g.until(60)
		g.busy = func() time.Duration {
			return time.Duration(rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 3000)).Draw(rt, "busy, ms")) * time.Millisecond
		}
		for range rapid.IntRange(1, 80).Draw(rt, "polls") {
			at := time.Unix(1000, 0).Add(g.now)
			g.now += g.busy()
			_, err := g.dev.Poll(at)
			if s := g.dev.Stats(); s.Losses > 0 || g.dev.State() != device.Running {
				rt.Fatalf("state %v, %v", g.dev.State(), err)
			}
			g.now += time.Duration(rapid.IntRange(1, 60).Draw(rt, "pause")) * time.Millisecond
		}
	})
}
