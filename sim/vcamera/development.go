// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
)

// Development is what the sensor makes of the light. The zero value is the sensor's own choice: automatic, upright, in
// the right byte order.
type Development struct {
	// Mirror exchanges left and right, Flip top and bottom.
	Mirror, Flip bool
	// Swapped exchanges the two bytes of each pixel: a sensor in another format.
	Swapped bool
	// Exposure is the time a row collects light; 0 is automatic.
	Exposure time.Duration
	// Gain is the amplification of all colours; 0 is automatic.
	Gain float64
	// Red, Green and Blue are the amplification of each; all 0 is automatic, 1 leaves the colours as they are.
	Red, Green, Blue float64
	// Bars gives colour bars instead of the picture.
	Bars bool
	// Sample chooses the noise of the picture.
	Sample uint64
}

// develop returns what the FT903 forwards of a sensor's output: how, and how many frames/s, 0 if none. It takes 640×480
// bytes pairs as they come, without a look at them, and no more than 15 frames/s.
func develop(o vcamsensor.Output) (d Development, rate float64) {
	if o.Width != Width || o.Height != Height || !(o.Rate > 0) {
		return Development{}, 0
	}
	return Development{
		Mirror: o.Mirror, Flip: o.Flip, Swapped: !o.YUYV, Exposure: o.Exposure, Gain: o.Gain,
		Red: o.Red, Green: o.Green, Blue: o.Blue, Bars: o.Bars,
	}, min(FrameRate, o.Rate)
}

// The sensor's exposure: what a white surface needs under 1 W/m², and what the automatic functions have. Plausible.
const (
	rightExposure = 20 * time.Millisecond
	longest       = time.Second / FrameRate
	shortest      = 83333 * time.Nanosecond // a row
	mostGain      = 32.0
)

// films are how bright the sensor makes a picture.
type films struct {
	scene  film       // what is lit by the light around
	source film       // what shines by itself, as bright as white under 1 W/m²
	gain   [3]float64 // the amplification of red, green and blue
}

// films returns how bright the sensor makes a scene under an irradiance, W/m². What is automatic makes up for what is
// not, as far as it goes.
func (d *Development) films(light float64) films {
	right := 1.0 // exposure in rightExposures times gain
	if light > 0 {
		right = 1 / light
	}
	exposure, gain := float64(d.Exposure)/float64(rightExposure), d.Gain
	between := func(v, low, high float64) float64 { return max(low, min(high, v)) }
	const low, high = float64(shortest) / float64(rightExposure), float64(longest) / float64(rightExposure)
	if d.Exposure == 0 {
		exposure = between(right/max(1, gain), low, high)
	}
	if d.Gain == 0 {
		gain = between(right/exposure, 1, mostGain)
	}
	red, green, blue := d.Red, d.Green, d.Blue
	if red == 0 && green == 0 && blue == 0 {
		red, green, blue = 1, 1, 1
	}
	scaled := func(k float64) film {
		part := func(c float64) int { return int(float64(between(k*c, 0, 64)*one) + 0.5) }
		return film{r: part(red), g: part(green), b: part(blue)}
	}
	return films{
		scene: scaled(light * exposure * gain), source: scaled(exposure * gain),
		gain: [3]float64{float64(gain * red), float64(gain * green), float64(gain * blue)},
	}
}

// barColours are those of the sensor's test picture, left to right.
var barColours = [8]RGB{
	{255, 255, 255}, {255, 255, 0}, {0, 255, 255}, {0, 255, 0}, {255, 0, 255}, {255, 0, 0}, {0, 0, 255}, {0, 0, 0},
}

// bars draws the test picture. The sensor makes it after exposure and gain.
func bars(frame []byte, d Development) {
	plain := film{r: one, g: one, b: one}
	for i := 0; i < Stride; i += 4 {
		c := barColours[i*len(barColours)/Stride]
		p := plain.expose(int(c.R), int(c.G), int(c.B))
		copy(frame[i:], []byte{byte(p), byte(p >> 8), byte(p), byte(p >> 16)})
	}
	for y := 1; y < Height; y++ {
		copy(frame[y*Stride:], frame[:Stride])
	}
	d.turn(frame)
}

// turn mirrors, turns over and exchanges as the sensor does.
func (d *Development) turn(frame []byte) {
	if d.Mirror {
		for y := range Height {
			row := frame[y*Stride : (y+1)*Stride]
			for i, j := 0, Stride-4; i <= j; i, j = i+4, j-4 {
				a, b := [4]byte(row[i:]), [4]byte(row[j:])
				copy(row[i:], []byte{b[2], b[1], b[0], b[3]})
				copy(row[j:], []byte{a[2], a[1], a[0], a[3]})
			}
		}
	}
	if d.Flip {
		var row [Stride]byte
		for y := range Height / 2 {
			a, b := frame[y*Stride:(y+1)*Stride], frame[(Height-1-y)*Stride:(Height-y)*Stride]
			copy(row[:], a)
			copy(a, b)
			copy(b, row[:])
		}
	}
	if d.Swapped {
		for i := 0; i+1 < len(frame); i += 2 {
			frame[i], frame[i+1] = frame[i+1], frame[i]
		}
	}
}
