// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// lights is the latest state of the LEDs. Any goroutine sets it, the loop reads it. The zero value is all off.
type lights struct {
	red atomic.Uint32 // set of mcu.LEDs
	rgb [4]atomic.Uint32
}

// redBits holds the robot's red LEDs led0, led2, led4 and led6: the front one, then clockwise.
var redBits = [4]mcu.LEDs{mcu.LED1, mcu.LED3, mcu.LED5, mcu.LED7}

// SetRed turns led0, led2, led4 or led6 on or off. It does not block.
func (l *Loop) SetRed(led int, on bool) {
	bit := uint32(redBits[led/2])
	if on {
		l.lights.red.Or(bit)
	} else {
		l.lights.red.And(^bit)
	}
}

// SetRGB sets the colour of led1, led3, led5 or led7. It does not block.
func (l *Loop) SetRGB(led int, c mcu.RGB) {
	l.lights.rgb[led/2].Store(uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B))
}

// put writes the LEDs into a command.
func (l *lights) put(c *mcu.Command) {
	c.LEDs = mcu.LEDs(l.red.Load())
	for i := range l.rgb {
		v := l.rgb[i].Load()
		c.RGB[i] = mcu.RGB{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v)}
	}
}
