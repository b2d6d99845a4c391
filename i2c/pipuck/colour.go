// SPDX-License-Identifier: Apache-2.0

package pipuck

// Colour is the colour of an LED: red, green and blue are on or off, as in the FT903's registers, 0b00000BGR.
type Colour uint8

// The colours.
const (
	Off     Colour = 0
	Red     Colour = 1
	Green   Colour = 2
	Yellow  Colour = Red | Green
	Blue    Colour = 4
	Magenta Colour = Red | Blue
	Cyan    Colour = Green | Blue
	White   Colour = Red | Green | Blue
)

var colourNames = [...]string{"off", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// ColourOf returns the colour of 0xRRGGBB: a part other than 0 is on, as for the robot's red LEDs. Higher bits are
// ignored.
func ColourOf(rgb uint32) Colour {
	var c Colour
	if rgb&0xFF0000 != 0 {
		c |= Red
	}
	if rgb&0x00FF00 != 0 {
		c |= Green
	}
	if rgb&0x0000FF != 0 {
		c |= Blue
	}
	return c
}

// String names the colour; unused bits are ignored.
func (c Colour) String() string { return colourNames[c&White] }
