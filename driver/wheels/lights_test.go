// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

func TestRedLEDs(t *testing.T) {
	var l Loop
	for led, bit := range map[int]mcu.LEDs{0: mcu.LED1, 2: mcu.LED3, 4: mcu.LED5, 6: mcu.LED7} {
		var c mcu.Command
		l.SetRed(led, true)
		if l.lights.put(&c); c.LEDs != bit {
			t.Errorf("led%d lights %04b, want %04b", led, c.LEDs, bit)
		}
		l.SetRed(led, false)
		if l.lights.put(&c); c.LEDs != 0 {
			t.Errorf("led%d stays lit: %04b", led, c.LEDs)
		}
	}
}

func TestColourLEDs(t *testing.T) {
	for _, c := range []struct {
		colour int32
		want   mcu.RGB
	}{
		{0, mcu.RGB{}}, {0xFFFFFF, mcu.RGB{R: 100, G: 100, B: 100}}, {0xFF0000, mcu.RGB{R: 100}},
		{0x00FF00, mcu.RGB{G: 100}}, {0x0000FF, mcu.RGB{B: 100}}, {0x7F3300, mcu.RGB{R: 50, G: 20}},
		{-1, mcu.RGB{R: 100, G: 100, B: 100}}, {0x7FFF0000, mcu.RGB{R: 100}},
	} {
		for i, led := range []int{1, 3, 5, 7} {
			var l Loop
			var cmd mcu.Command
			l.SetRGB(led, mcu.RGBFromHex(uint32(c.colour)))
			l.lights.put(&cmd)
			var want [4]mcu.RGB
			want[i] = c.want
			if cmd.RGB != want {
				t.Errorf("led%d = %#x gives %v, want %v", led, c.colour, cmd.RGB, want)
			}
			if err := cmd.Validate(); err != nil {
				t.Error(err)
			}
		}
	}
}
