// SPDX-License-Identifier: Apache-2.0

package robot

// diagonal is the cosine of 45°.
const diagonal = 0.7071067811865476

// RedLED returns the colour of a lit red LED, as red, green and blue of sRGB, in every picture: that of the camera, of
// the page and of TraCI. Chosen: sRGB has no light of one wavelength.
func RedLED() [3]uint8 { return [3]uint8{255, 36, 28} }

// LEDs returns the directions of the eight LEDs of the ring from the centre, as unit vectors x and y: LED 0 is in
// front, the others follow clockwise every 45° [Webots; firmware, leds.h]. Those with odd numbers are RGB LEDs, the
// others are red.
func LEDs() [8][2]float64 {
	return [8][2]float64{
		{1, 0}, {diagonal, -diagonal}, {0, -1}, {-diagonal, -diagonal},
		{-1, 0}, {-diagonal, diagonal}, {0, 1}, {diagonal, diagonal},
	}
}
