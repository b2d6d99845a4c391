// SPDX-License-Identifier: Apache-2.0

package pipuck

// rgb returns the colour as 0xRRGGBB, each part 0 or 0xFF.
func (c Colour) rgb() uint32 {
	var rgb uint32
	if c&Red != 0 {
		rgb |= 0xFF0000
	}
	if c&Green != 0 {
		rgb |= 0x00FF00
	}
	if c&Blue != 0 {
		rgb |= 0x0000FF
	}
	return rgb
}
