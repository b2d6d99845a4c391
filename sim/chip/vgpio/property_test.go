// SPDX-License-Identifier: Apache-2.0

package vgpio_test

import (
	"testing"

	"periph.io/x/conn/v3/gpio"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
)

// TestModel: the pin against the plain rule who decides about a line, and the listener hears each change once.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := vgpio.New(24)
		pull, driven, outside, out, level := gpio.Float, false, gpio.Low, false, gpio.Low
		line := func() gpio.Level {
			if out {
				return level
			}
			if driven {
				return outside
			}
			return pull == gpio.PullUp
		}
		heard, calls, changes := gpio.Low, 0, 0
		p.Listen(func(l gpio.Level) { heard, calls = l, calls+1 })
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			before := line()
			l := gpio.Level(rapid.Bool().Draw(t, "l"))
			switch rapid.IntRange(0, 3).Draw(t, "op") {
			case 0:
				p.Drive(l)
				driven, outside = true, l
			case 1:
				p.Release()
				driven = false
			case 2:
				_ = p.Out(l)
				out, level = true, l
			case 3:
				to := rapid.SampledFrom([]gpio.Pull{gpio.PullNoChange, gpio.Float, gpio.PullDown, gpio.PullUp}).Draw(t, "pull")
				_ = p.In(to, gpio.NoEdge)
				if out = false; to != gpio.PullNoChange {
					pull = to
				}
			}
			if line() != before {
				changes++
			}
			if p.Read() != line() || heard != line() || calls != changes+1 || p.Changes() != changes || p.Output() != out {
				t.Fatalf("level %v, want %v; heard %v in %d calls of %d changes", p.Read(), line(), heard, calls, changes)
			}
		}
	})
}
