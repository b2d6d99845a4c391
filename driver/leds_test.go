// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

func TestRedLEDs(t *testing.T) {
	var l lights
	for led, bit := range map[int]mcu.LEDs{0: mcu.LED1, 2: mcu.LED3, 4: mcu.LED5, 6: mcu.LED7} {
		var c mcu.Command
		l.setRed(led, true)
		if l.put(&c); c.LEDs != bit {
			t.Errorf("led%d lights %04b, want %04b", led, c.LEDs, bit)
		}
		l.setRed(led, false)
		if l.put(&c); c.LEDs != 0 {
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
			var l lights
			var cmd mcu.Command
			l.setRGB(led, c.colour)
			l.put(&cmd)
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

func TestLEDTopics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		for i, led := range []int{0, 2, 4, 6} {
			publish(r, fmt.Sprintf("led%d", led), &std_msgs.Int32{Data: 7})
			time.Sleep(60 * time.Millisecond)
			var want [4]bool
			want[i] = true
			if got := r.robot.Truth().LEDs.Red; got != want {
				t.Errorf("led%d: %v", led, got)
			}
			publish(r, fmt.Sprintf("led%d", led), &std_msgs.Int32{})
		}
		for i, led := range []int{1, 3, 5, 7} {
			publish(r, fmt.Sprintf("led%d", led), &std_msgs.Int32{Data: 0xFF8000})
			time.Sleep(60 * time.Millisecond)
			if got := r.robot.Truth().LEDs.RGB[i]; got != [3]uint8{100, 50, 0} {
				t.Errorf("led%d: %v", led, got)
			}
		}
		r.must(r.end())
		if got := r.robot.Truth().LEDs.RGB[0]; got != [3]uint8{100, 50, 0} {
			t.Errorf("stopping the wheels changed an LED: %v", got)
		}
	})
}

func TestLEDTopicsOfTheOldDriver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p led_type:=bool"})
		publish(r, "led4", &std_msgs.Bool{Data: true})
		publish(r, "led1", &std_msgs.Int32{Data: 0xFF0000})
		time.Sleep(60 * time.Millisecond)
		leds := r.robot.Truth().LEDs
		if leds.Red != [4]bool{2: true} || leds.RGB[0] != [3]uint8{100, 0, 0} {
			t.Errorf("LEDs %+v", leds)
		}
	})
}
