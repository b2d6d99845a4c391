// SPDX-License-Identifier: Apache-2.0

package pipuck_test

import (
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// TestAnyPresses: with any bouncing of the contact, presses and releases alternate, each after a steady level, and
// "held" is reported once per press, not before its time.
func TestAnyPresses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pin := vgpio.New(pipuck.PinButton)
		b, err := pipuck.NewButton(pin, nil)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Unix(0, 0)
		b.Poll(now)
		down, held := false, false
		raw, since, pressed := false, now, now
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			low := rapid.Bool().Draw(t, "low")
			if pin.Drive(gpio.Level(!low)); low != raw {
				raw, since = low, now
			}
			for range rapid.IntRange(1, 150).Draw(t, "polls") {
				e := b.Poll(now)
				steady := now.Sub(since)
				switch e {
				case pipuck.ButtonPressed:
					if down || !raw || steady < 30*time.Millisecond {
						t.Fatalf("%v while down is %v after %v", e, down, steady)
					}
					down, held, pressed = true, false, since
				case pipuck.ButtonReleased:
					if !down || raw || steady < 30*time.Millisecond {
						t.Fatalf("%v while down is %v after %v", e, down, steady)
					}
					down = false
				case pipuck.ButtonHeld:
					if !down || held || now.Sub(pressed) < 2*time.Second {
						t.Fatalf("%v after %v", e, now.Sub(pressed))
					}
					held = true
				}
				if down && raw && !held && e != pipuck.ButtonHeld && now.Sub(pressed) > 2200*time.Millisecond {
					t.Fatal("held, but not reported")
				}
				now = now.Add(20 * time.Millisecond)
			}
		}
	})
}

// TestAnyBoard: with faults and resets by others, a call makes at most one transaction, none before its time, the chip
// never waits for firmware, and in the end the LEDs are as chosen.
func TestAnyBoard(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBoard(t)
		var want [pipuck.LEDs]pipuck.Colour
		for range rapid.IntRange(1, 25).Draw(rt, "n") {
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				i, c := rapid.IntRange(0, 2).Draw(rt, "i"), pipuck.Colour(rapid.IntRange(0, 7).Draw(rt, "c"))
				if want[i] = c; b.dev.Set(i, c) != nil {
					rt.Fatal(i, c)
				}
			case 1:
				_ = b.bus.Faults().Next(vbus.Fault{Kind: vbus.Kind(rapid.IntRange(0, int(vbus.Timeout)).Draw(rt, "kind"))})
			case 2:
				b.chip.Restart()
			}
			for range rapid.IntRange(1, 40).Draw(rt, "polls") {
				before, next, now := b.bus.Faults().Transfers(), b.dev.Next(), time.Unix(0, int64(b.now))
				_ = b.dev.Poll(now)
				if made := b.bus.Faults().Transfers() - before; made > 1 || made > 0 && now.Before(next) || b.chip.DFU() {
					rt.Fatalf("%d transactions at %v, not before %v; update mode %v", made, now, next, b.chip.DFU())
				}
				b.now += time.Duration(rapid.IntRange(1, 200).Draw(rt, "ms")) * time.Millisecond
			}
		}
		b.run(8 * time.Second)
		for i, c := range want {
			if got := pipuck.Colour(b.chip.LED(i)); got != c {
				rt.Fatalf("LED %d is %v, want %v", i, got, c)
			}
		}
	})
}
