// SPDX-License-Identifier: Apache-2.0

package pipuck_test

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"

	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
)

// Each colour component of an LED is on or off.
func ExampleColourOf() {
	for _, c := range []struct {
		rgb  uint32
		want pipuck.Colour
	}{
		{0x000000, pipuck.Off}, {0xFF0000, pipuck.Red}, {0x00FF00, pipuck.Green}, {0x0000FF, pipuck.Blue},
		{0xFFFF00, pipuck.Yellow}, {0xFF00FF, pipuck.Magenta}, {0x00FFFF, pipuck.Cyan}, {0xFFFFFF, pipuck.White},
	} {
		fmt.Printf("%06X %v %v\n", c.rgb, pipuck.ColourOf(c.rgb), pipuck.ColourOf(c.rgb) == c.want)
	}
	// Output:
	// 000000 off true
	// FF0000 red true
	// 00FF00 green true
	// 0000FF blue true
	// FFFF00 yellow true
	// FF00FF magenta true
	// 00FFFF cyan true
	// FFFFFF white true
}

// A press is reported after it has lasted 30 ms, and so is the release.
func ExampleButton_Poll() {
	pin := vgpio.New(pipuck.PinButton)
	button, err := pipuck.NewButton(pin, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Now()
	for i := range 20 {
		switch i {
		case 3:
			pin.Drive(gpio.Low)
		case 10:
			pin.Drive(gpio.High)
		}
		switch button.Poll(now.Add(time.Duration(i) * 20 * time.Millisecond)) {
		case pipuck.ButtonPressed:
			fmt.Println(i, "pressed", button.Pressed())
		case pipuck.ButtonReleased:
			fmt.Println(i, "released", button.Pressed())
		}
	}
	// Output:
	// 5 pressed true
	// 12 released false
}
