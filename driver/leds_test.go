// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

func TestLEDTopics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		for i, led := range []int{0, 2, 4, 6} {
			publish(r, fmt.Sprintf("led%d", led), &std_msgs.Int32{Data: 7})
			time.Sleep(60 * time.Millisecond)
			var want [4]bool
			want[i] = true
			if got := r.robot.GroundTruth().LEDs.Red; got != want {
				t.Errorf("led%d: %v", led, got)
			}
			publish(r, fmt.Sprintf("led%d", led), &std_msgs.Int32{})
		}
		for i, led := range []int{1, 3, 5, 7} {
			publish(r, fmt.Sprintf("led%d", led), &std_msgs.Int32{Data: 0xFF8000})
			time.Sleep(60 * time.Millisecond)
			if got := r.robot.GroundTruth().LEDs.RGB[i]; got != [3]uint8{100, 50, 0} {
				t.Errorf("led%d: %v", led, got)
			}
		}
		r.must(r.end())
		if got := r.robot.GroundTruth().LEDs.RGB[0]; got != [3]uint8{100, 50, 0} {
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
		leds := r.robot.GroundTruth().LEDs
		if leds.Red != [4]bool{2: true} || leds.RGB[0] != [3]uint8{100, 0, 0} {
			t.Errorf("LEDs %+v", leds)
		}
	})
}
