// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// LEDType is the message type of the red LEDs' topics (parameter led_type).
type LEDType string

// The values of the parameter led_type.
const (
	// LEDInt32 is std_msgs/Int32, as on the Webots robot: 0 is off, anything else on.
	LEDInt32 LEDType = "int32"
	// LEDBool is std_msgs/Bool, as in the old driver.
	LEDBool LEDType = "bool"
)

// lights is what the LEDs were told last. Subscriptions set it, the bus goroutine reads it; it is safe for concurrent
// use. The zero value is dark.
type lights struct {
	mu  sync.Mutex
	red mcu.LEDs
	rgb [4]mcu.RGB
}

// redBits holds the robot's red LEDs led0, led2, led4 and led6: the front one, then clockwise.
var redBits = [4]mcu.LEDs{mcu.LED1, mcu.LED3, mcu.LED5, mcu.LED7}

// setRed lights or darkens led0, led2, led4 or led6.
func (l *lights) setRed(led int, on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if on {
		l.red |= redBits[led/2]
	} else {
		l.red &^= redBits[led/2]
	}
}

// setRGB gives led1, led3, led5 or led7 a colour 0xRRGGBB; bits above the 24th, such as an alpha channel, are ignored.
func (l *lights) setRGB(led int, colour int32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rgb[led/2] = mcu.RGBFromHex(uint32(colour))
}

// put writes the LEDs into a command.
func (l *lights) put(c *mcu.Command) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.LEDs, c.RGB = l.red, l.rgb
}
