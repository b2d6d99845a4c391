// SPDX-License-Identifier: Apache-2.0

// Package vcamsensor simulates the camera sensor of the e-puck2 on its I²C bus: an OmniVision OV7670, a Pixelplus
// PO8030 or one of its predecessors.
//
// A sensor keeps its registers and says what picture they make ([Output]), computed as the sensor does it: window, byte
// order and frame rate. The Pi-puck's FT903 accepts one picture only, 640×480 in YUYV at 15 frames/s, which no sensor
// gives after power-on ([Output.Usable]).
//
// The OV7670 speaks SCCB: it does not acknowledge a read that follows a write by a repeated start. After a reset
// through its registers it takes a while; what is written meanwhile is acknowledged and lost.
package vcamsensor

import (
	"math"
	"time"
)

// Addresses of the sensors.
const (
	AddressOV = 0x21
	AddressPO = 0x6E
)

// clock is what the e-puck2 clocks its sensor with, Hz; a pixel of two bytes takes two cycles.
const clock = 21e6

// Output is the picture that a sensor gives.
type Output struct {
	// YUYV: the byte order is Y U Y V, with all values and the right colours.
	YUYV bool
	// Width and Height are the picture's size, pixels.
	Width, Height int
	// Rate is in frames/s.
	Rate float64
	// Mirror and Flip: the picture is turned over left to right, top to bottom.
	Mirror, Flip bool
	// Exposure is the time that a row collects light; 0 while the sensor chooses.
	Exposure time.Duration
	// Gain is the amplification of all colours; 0 while the sensor chooses, or has no such register.
	Gain float64
	// Red, Green and Blue are the amplification of the colours; all 0 while the sensor chooses.
	Red, Green, Blue float64
	// Bars: colour bars instead of the picture.
	Bars bool
}

// Usable reports whether the FT903 can hand the picture on.
func (o Output) Usable() bool {
	return o.YUYV && o.Width == 640 && o.Height == 480 && math.Abs(o.Rate-15) < 0.5
}

// rows gives the duration of a number of rows of a length in pixels.
func rows(n float64, length int) time.Duration {
	return time.Duration(math.Round(n * float64(2*length) / clock * 1e9))
}
