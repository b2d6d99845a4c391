// SPDX-License-Identifier: Apache-2.0

package vcamera

// RGB is a colour as it looks in full light, 0 to 255 each.
type RGB struct{ R, G, B uint8 }

// grey returns the colour of a reflectance of 0 to 255.
func grey(v uint8) RGB { return RGB{v, v, v} }

// pixel is a pixel: Y in the lowest byte, then U and V; BT.601 with all values, as the sensor is set up to give.
type pixel uint32

// one is 1 in the fixed point of film.
const one = 256

// film turns colours into pixels as the sensor does: each channel amplified and cut off at white.
type film struct{ r, g, b int } // 256 is 1

// expose returns the pixel of a colour whose channels are 0 to 255.
func (f *film) expose(r, g, b int) pixel {
	r, g, b = min(255, r*f.r>>8), min(255, g*f.g>>8), min(255, b*f.b>>8)
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
