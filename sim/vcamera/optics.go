// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Optics is how a camera differs from one with an ideal lens and a sensor without noise. The zero value does not.
type Optics struct {
	Distortion Distortion
	// Vignetting is the exponent of the cosine law: the light falls with that power of the cosine of the angle to the
	// optical axis. 4 is that of a thin lens without any stop but its own rim (the natural vignetting of any optics
	// textbook), 0 is none.
	Vignetting int
	// Noise is the noise as a multiple of the data sheet's: 0 is none, 1 that of the OV7670.
	Noise float64
}

// Figures of the OV7670 at gain 1: S/N ratio 46 dB, dynamic range 52 dB, as vendors of camera modules quote
// OmniVision's data sheet (version 1.4, 2006, key specifications), which was not read. The Pixelplus sensors' are not
// published; they have the same.
const (
	readNoise  = 0.640538 // 255/10^(52/20): the noise of a black pixel, steps of the 8-bit value
	whiteNoise = 1.278053 // 255/10^(46/20): the noise of a white one
)

// shotNoise is the variance of the photons' number for each step of the 8-bit value, at gain 1: what white has beyond
// black.
const shotNoise = (whiteNoise*whiteNoise - readNoise*readNoise) / 255

// newRendererWith returns a renderer for the e-puck2's camera with the optics of a real one. src gives the noise. The
// error matches errLens: a distortion that can't be undone everywhere in the picture.
func newRendererWith(o Optics, src noise.Source) (*Renderer, error) {
	if o == (Optics{}) {
		return NewRenderer(), nil
	}
	s := &sensor{lens: piPuck(), noise: o.Noise, src: src}
	s.warp.ideal = s.lens
	if o.Distortion != (Distortion{}) {
		var ok bool
		if s.warp, ok = newWarp(s.lens, o.Distortion); !ok {
			return nil, fmt.Errorf("%w: distortion %+v folds the picture", errLens, o.Distortion)
		}
	}
	s.shade(max(0, o.Vignetting))
	if o.Noise > 0 {
		s.draw()
	}
	r := NewRendererOf(s.warp.ideal)
	s.light = make([]uint64, r.lens.Width*r.lens.Height)
	r.sensor = s
	return r, nil
}

// Fixed point numbers of a sensor.
const (
	levels      = 1024      // of the light of a colour, 255 being white
	fine        = 16        // parts of a level
	fullShare   = 4096      // 1 as a share of the light
	angleStep   = 8192      // parts of the square of an angle's tangent
	normals     = 1 << 16   // independent numbers of a sensor's noise
	rowNormals  = 3 * Width // of which a row takes so many
	normalOne   = 1024      // 1 as a number of the noise
	sigmaOne    = 16 * fine // 1 level as a standard deviation
	noiseShift  = 10 + 4    // normalOne·sigmaOne to fine
	brightLimit = 255 * fine
)

// sensor turns the light of a picture into a frame: warped, less light to the rim, with noise.
type sensor struct {
	lens  Lens
	warp  warp     // from is nil: no distortion
	light []uint64 // what the ideal lens shows, row by row: the lanes of film's raw pixels

	columns, rows []uint16 // of each: its part of the square of the tangent of the angle to the axis
	share         []uint16 // of the light, by the sum of both; nil: all

	noise  float64
	src    noise.Source
	normal []int16           // normally distributed numbers
	gain   [3]float64        // what sigma is for
	sigma  [3][levels]uint16 // standard deviation by colour and level
}

// shade computes how the light falls to the rim.
func (s *sensor) shade(power int) {
	if power == 0 {
		return
	}
	s.columns, s.rows = squares(Width, s.lens.CenterX, s.lens.FocalX), squares(Height, s.lens.CenterY, s.lens.FocalY)
	most := 0
	for _, side := range [][]uint16{s.columns, s.rows} {
		most += int(max(side[0], side[len(side)-1]))
	}
	s.share = make([]uint16, most+1)
	for i := range s.share {
		cosine := 1 / math.Sqrt(1+float64(float64(i)/angleStep))
		part := 1.0
		for range power {
			part = float64(part * cosine)
		}
		s.share[i] = uint16(float64(part*fullShare) + 0.5)
	}
}

// squares returns the squares of n pixels' distances from the centre, in parts of the square of the focal length.
func squares(n int, centre, focal float64) []uint16 {
	out := make([]uint16, n)
	for i := range out {
		t := (float64(i) - centre) / focal
		out[i] = uint16(float64(float64(t*t)*angleStep) + 0.5)
	}
	return out
}

// draw draws the numbers of the noise. Those of the end are those of the beginning: each row takes some in a row.
func (s *sensor) draw() {
	s.normal = make([]int16, normals+rowNormals)
	numbers := s.src.Named("numbers")
	for i := range normals {
		s.normal[i] = int16(math.Floor(float64(numbers.Normal(uint64(i))*normalOne) + 0.5))
	}
	copy(s.normal[normals:], s.normal[:rowNormals])
}

// amplify computes the noise of an amplification of red, green and blue: that of reading is amplified, and that of the
// photons belongs to the light before.
func (s *sensor) amplify(gain [3]float64) {
	if s.noise == 0 || s.gain == gain {
		return
	}
	s.gain = gain
	for k, g := range gain {
		for level := range s.sigma[k] {
			v := float64(float64(g*g)*(readNoise*readNoise)) + float64(float64(g*float64(level))*shotNoise)
			s.sigma[k][level] = uint16(min(math.MaxUint16, float64(float64(s.noise*math.Sqrt(v))*sigmaOne)+0.5))
		}
	}
}

// store puts columns of the ideal picture into the light, from column x on.
func (s *sensor) store(x int, strips [][]pixel) {
	width := s.warp.ideal.Width
	for y := range s.warp.ideal.Height {
		row := s.light[y*width+x : y*width+x+len(strips)]
		for i := range row {
			row[i] = lanes(strips[i][y])
		}
	}
}

// develop writes the frame. sample chooses the noise.
func (s *sensor) develop(frame []byte, sample uint64) {
	src := s.src.Named("pictures").Stream(sample)
	var colours [Width][3]int32 // of a row, in parts of a level
	for y := range Height {
		s.row(y, &colours)
		if s.noise > 0 {
			at := src.Uint64(uint64(y)) % normals
			s.disturb(&colours, s.normal[at:at+rowNormals])
		}
		encode(frame[y*Stride:(y+1)*Stride], &colours)
	}
}

// row collects the light of a row of the frame.
func (s *sensor) row(y int, to *[Width][3]int32) {
	switch {
	case s.warp.from == nil:
		row := s.light[y*Width : (y+1)*Width]
		for x := range to {
			p := row[x]
			to[x] = [3]int32{int32(p&(levels-1)) * fine, int32(p>>21&(levels-1)) * fine, int32(p>>42) * fine}
		}
	default:
		from := s.warp.from[y*Width : (y+1)*Width]
		for x := range to {
			const mask, shift = 1<<21 - 1, 2*warpBits - 4 // to parts of a level
			c := s.between(from[x])
			to[x] = [3]int32{int32(c & mask >> shift), int32(c >> 21 & mask >> shift), int32(c >> 42 >> shift)}
		}
	}
	if s.share == nil {
		return
	}
	above, columns := s.rows[y], s.columns[:Width]
	for x := range to {
		c, share := &to[x], int32(s.share[columns[x]+above])
		c[0], c[1], c[2] = c[0]*share>>12, c[1]*share>>12, c[2]*share>>12 // of fullShare
	}
}

// between returns the colour of a place between four pixels, in the lanes of a number, times warpOne².
func (s *sensor) between(place uint32) uint64 {
	i, width := place>>(2*warpBits), s.warp.ideal.Width
	right, down := uint64(place>>warpBits&(warpOne-1)), uint64(place&(warpOne-1))
	left, up := warpOne-right, warpOne-down
	upper, lower := s.light[i:i+2:i+2], s.light[int(i)+width:int(i)+width+2]
	return (upper[0]*left+upper[1]*right)*up + (lower[0]*left+lower[1]*right)*down
}

// lanes spreads the colours of a raw pixel over a number, with 21 bits for each.
func lanes(p pixel) uint64 {
	return uint64(p&0x3FF) | uint64(p&0xFFC00)<<11 | uint64(p&0x3FF00000)<<22
}

// disturb adds noise.
func (s *sensor) disturb(row *[Width][3]int32, normal []int16) {
	for x := range row {
		c, n := &row[x], normal[3*x:3*x+3:3*x+3]
		c[0] += int32(n[0]) * int32(s.sigma[0][c[0]/fine&(levels-1)]) >> noiseShift
		c[1] += int32(n[1]) * int32(s.sigma[1][c[1]/fine&(levels-1)]) >> noiseShift
		c[2] += int32(n[2]) * int32(s.sigma[2][c[2]/fine&(levels-1)]) >> noiseShift
	}
}

// encode writes a row as YUYV.
func encode(to []byte, row *[Width][3]int32) {
	limit := func(v int32) int32 { return max(0, min(brightLimit, v)) }
	for x := 0; x < Width; x += 2 {
		a, b := &row[x], &row[x+1]
		ar, ag, ab := limit(a[0]), limit(a[1]), limit(a[2])
		br, bg, bb := limit(b[0]), limit(b[1]), limit(b[2])
		p := to[2*x : 2*x+4 : 2*x+4]
		p[0] = byte((77*ar + 150*ag + 29*ab + 128*fine) >> 12) // 8 bits of the factors and 4 of fine
		p[2] = byte((77*br + 150*bg + 29*bb + 128*fine) >> 12)
		red, green, blue := ar+br, ag+bg, ab+bb
		p[1] = byte(min(255, (-43*red-85*green+128*blue+256*fine)>>13+128))
		p[3] = byte(min(255, (128*red-107*green-21*blue+256*fine)>>13+128))
	}
}
