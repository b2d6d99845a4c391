// SPDX-License-Identifier: Apache-2.0

package world

import (
	"encoding/hex"
	"maps"
	"slices"
)

// Color is how a thing looks to the camera, and how much infrared light it reflects: a name of [Colors] or "#rrggbb",
// two hexadecimal digits for red, green and blue each. Empty leaves the looks to the simulation, and is white to
// infrared light.
type Color string

// named are the colours with a name.
var named = map[Color][3]uint8{
	"black": {24, 24, 26}, "grey": {128, 128, 128}, "white": {236, 236, 232},
	"red": {200, 44, 36}, "orange": {222, 120, 32}, "yellow": {226, 190, 44}, "green": {52, 140, 62},
	"blue": {36, 84, 190}, "purple": {120, 60, 150}, "brown": {128, 84, 52},
}

// Colors returns the names of colours, in alphabetical order.
func Colors() []Color { return slices.Sorted(maps.Keys(named)) }

// RGB returns red, green and blue, 0 to 255, and whether there is such a colour.
func (c Color) RGB() (rgb [3]uint8, ok bool) {
	if rgb, ok = named[c]; ok {
		return rgb, true
	}
	if len(c) != 7 || c[0] != '#' {
		return rgb, false
	}
	_, err := hex.Decode(rgb[:], []byte(c[1:]))
	return rgb, err == nil
}

// What things look like whose colour the world file leaves open.
var (
	palette = [5][3]uint8{{204, 84, 44}, {60, 130, 72}, {44, 92, 190}, {222, 182, 54}, {128, 70, 150}}
	brick   = [3]uint8{186, 110, 84}
	plaster = [3]uint8{206, 198, 182}
)

// Paint returns a colour for thing number n of those that no world file has a colour for: red, green and blue, 0 to
// 255.
func Paint(n int) [3]uint8 { return palette[n%len(palette)] }

// BoxRGB returns what box number i looks like: red, green and blue, 0 to 255.
func (w *World) BoxRGB(i int) [3]uint8 { return w.Boxes[i].Color.or(Paint(i)) }

// CylinderRGB returns the same of cylinder number i.
func (w *World) CylinderRGB(i int) [3]uint8 { return w.Cylinders[i].Color.or(Paint(i + 2)) }

// RGB returns the same of a wall.
func (w *Wall) RGB() [3]uint8 { return w.Color.or(brick) }

// RGB returns the same of the arena's walls.
func (a *Arena) RGB() [3]uint8 { return a.Color.or(plaster) }

// or returns the colour, or another if the world file leaves it open.
func (c Color) or(otherwise [3]uint8) [3]uint8 {
	if rgb, ok := c.RGB(); ok {
		return rgb
	}
	return otherwise
}

// color checks a colour, which may be left out.
func (c *checker) color(v Color, path ...any) {
	if _, ok := v.RGB(); !ok && v != "" {
		c.fail("must be one of %q or \"#rrggbb\", is %q", []any{Colors(), v}, path...)
	}
}
