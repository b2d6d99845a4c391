// SPDX-License-Identifier: Apache-2.0

package vcamera

// RGB is a colour as it looks in full light, 0 to 255 each.
type RGB struct{ R, G, B uint8 }

// grey returns the colour of a reflectance of 0 to 255.
func grey(v uint8) RGB { return RGB{v, v, v} }

// pixel is a pixel: Y in the lowest byte, then U and V; BT.601 with all values, as the sensor is set up to give. That
// of a raw film has 10 bits each of red, green and blue instead, from the lowest on; 255 is white.
type pixel uint32

// rawMost is the most light of a colour that a raw pixel holds.
const rawMost = levels - 1

// one is 1 in the fixed point of film.
const one = 256

// film turns colours into pixels as the sensor does: each channel amplified and cut off at white. A raw film leaves
// that to a sensor.
type film struct {
	r, g, b int // 256 is 1
	raw     bool
}

// expose returns the pixel of a colour whose channels are 0 to 255.
func (f *film) expose(r, g, b int) pixel { return f.pixel(r*f.r>>8, g*f.g>>8, b*f.b>>8) }

// pixel returns the pixel of the light of each colour, 255 being white.
func (f *film) pixel(r, g, b int) pixel {
	if f.raw {
		return pixel(min(rawMost, r)) | pixel(min(rawMost, g))<<10 | pixel(min(rawMost, b))<<20
	}
	r, g, b = min(255, r), min(255, g), min(255, b)
	y := (77*r + 150*g + 29*b + 128) >> 8
	u := (-43*r-85*g+128*b+128)>>8 + 128
	v := (128*r-107*g-21*b+128)>>8 + 128
	return pixel(min(255, y)) | pixel(max(0, min(255, u)))<<8 | pixel(max(0, min(255, v)))<<16
}

// The light around: haze is what everything fades to with the distance, zenith what the sky becomes upwards.
var (
	haze   = RGB{196, 204, 212}
	zenith = RGB{120, 150, 190}
)

const (
	// hazeHalf is the distance at which half of a colour is haze, m.
	hazeHalf = 4.0
	// shades is the number of steps in which the haze grows.
	shades = 64
)

// fade returns how many of shades parts of a colour at a depth (m) are still seen.
func fade(depth float64) int { return int(hazeHalf / (hazeHalf + depth) * shades) }

// mix returns a colour of which k of shades parts are seen through the haze, under light of l/256.
func (f *film) mix(c RGB, k, l int) pixel {
	part := func(v, h uint8) int { return (int(v)*k*l>>8 + int(h)*(shades-k)) / shades }
	return f.expose(part(c.R, haze.R), part(c.G, haze.G), part(c.B, haze.B))
}

// shine returns the pixel of a source of light of which k of shades parts are seen through the haze. source is the film
// of what shines by itself.
func (f *film) shine(source *film, c RGB, k int) pixel {
	part := func(v, h uint8, of, around int) int { return (int(v)*k*of + int(h)*(shades-k)*around) / shades >> 8 }
	return f.pixel(part(c.R, haze.R, source.r, f.r), part(c.G, haze.G, source.g, f.g), part(c.B, haze.B, source.b, f.b))
}
