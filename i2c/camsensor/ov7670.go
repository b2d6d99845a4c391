// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"math"
	"time"
)

// Registers of the OV7670 used by the options; those of the sequence are named in its comments.
const (
	ovGain   = 0x00 // lower eight bits
	ovBlue   = 0x01
	ovRed    = 0x02
	ovVREF   = 0x03 // bits 7:6 are the upper ones of the gain
	ovCOM1   = 0x04 // bits 1:0 of the exposure
	ovAECHH  = 0x07 // bits 15:10 of the exposure
	ovAECH   = 0x10 // bits 9:2 of the exposure
	ovCOM7   = 0x12
	ovCOM8   = 0x13
	ovMVFP   = 0x1E
	ovTSLB   = 0x3A
	ovCOM17  = 0x42
	com8AGC  = 0x04
	com8AWB  = 0x02
	com8AEC  = 0x01
	mvMirror = 0x20
	mvFlip   = 0x10
	com17Bar = 0x08
)

// ovReset is the wait after a reset.
const ovReset = 200 * time.Millisecond

// ovSequence is written after the reset, in this order (GCtronic, camera-configuration.c).
var ovSequence = [...][2]byte{
	{0x11, 0x80},                             // CLKRC: the clock is not divided
	{ovTSLB, 0x04},                           // byte order YUYV
	{ovCOM7, 0x00},                           // YUV, VGA
	{0x40, 0xC0},                             // COM15: values 00 to FF
	{0x3D, 0x00},                             // COM13: U before V, no gamma, no automatic saturation
	{0xB0, 0x84},                             // undocumented; without it colours are wrong
	{0x17, 0x13}, {0x18, 0x01}, {0x32, 0x36}, // HSTART, HSTOP, HREF: columns 158 to 14 of 784
	{0x19, 0x02}, {0x1A, 0x7A}, {ovVREF, 0x0A}, // VSTART, VSTOP, VREF: rows 10 to 490
	{0x2A, 0x00}, {0x2B, 0x5B}, // 91 more pixels in a row
	{0x92, 0x22}, {0x93, 0x01}, // 290 more rows: 15 frames/s
	{0x0C, 0x00}, {0x3E, 0x00}, // COM3, COM14: no scaling
	{0x70, 0x3A}, {0x71, 0x35}, {0x72, 0x11}, {0x73, 0xF0}, {0xA2, 0x02}, // the scaler's own defaults
}

// ovProgram appends the whole sequence with its options.
func ovProgram(p []op, s *Settings) []op {
	p = append(p, op{reg: ovCOM7, value: 0x80, wait: ovReset})
	for _, w := range ovSequence {
		p = append(p, op{reg: w[0], value: w[1]})
	}
	var mvfp, off byte
	if s.Mirror {
		mvfp |= mvMirror
	}
	if s.Flip {
		mvfp |= mvFlip
	}
	if mvfp != 0 {
		p = append(p, change(ovMVFP, mvMirror|mvFlip, mvfp))
	}
	if s.Exposure != 0 {
		off |= com8AEC
	}
	if s.Gain != 0 {
		off |= com8AGC
	}
	if s.Balance != (Balance{}) {
		off |= com8AWB
	}
	if off != 0 {
		p = append(p, change(ovCOM8, off, 0))
	}
	if s.Exposure != 0 {
		rows := s.rows()
		p = append(p, change(ovAECHH, 0x3F, byte(rows>>10)), op{reg: ovAECH, value: byte(rows >> 2)},
			change(ovCOM1, 0x03, byte(rows&3)))
	}
	if s.Gain != 0 {
		g := ovGainBits(s.Gain)
		p = append(p, op{reg: ovGain, value: byte(g)}, change(ovVREF, 0xC0, byte(g>>8)<<6))
	}
	if b := s.Balance; b != (Balance{}) {
		p = append(p, op{reg: ovBlue, value: fixed(b.Blue / b.Green)}, op{reg: ovRed, value: fixed(b.Red / b.Green)})
	}
	if s.TestPattern {
		p = append(p, change(ovCOM17, com17Bar, com17Bar))
	}
	return p
}

// ovGainBits returns the ten bits of a gain of 1 to 32: the lower four count sixteenths, each of the others doubles.
func ovGainBits(gain float64) uint16 {
	doubled := uint16(0)
	for gain >= 2 && doubled < 6 {
		gain /= 2
		doubled++
	}
	part := uint16(math.Round((gain - 1) * 16))
	if part == 16 {
		part = 0
		doubled++
	}
	return (1<<doubled-1)<<4 | part
}
