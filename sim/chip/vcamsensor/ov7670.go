// SPDX-License-Identifier: Apache-2.0

package vcamsensor

import (
	"math/bits"
	"time"
)

// settleTime is how long the OV7670 takes for a reset. The true figure is not known; the programs of the robot's maker
// wait 200 ms.
const settleTime = 150 * time.Millisecond

// The array of the OV7670 with its margins, pixels.
const (
	arrayColumns = 784
	arrayRows    = 510
)

// ovDefaults are the registers after power-on that are not 0, as far as they matter here (data sheet).
var ovDefaults = [...][2]byte{
	{0x01, 0x80}, {0x02, 0x80}, {0x0A, 0x76}, {0x0B, 0x73}, {0x10, 0x40}, {0x11, 0x80}, {0x13, 0x8F}, {0x17, 0x11},
	{0x18, 0x61}, {0x19, 0x03}, {0x1A, 0x7B}, {0x1C, 0x7F}, {0x1D, 0xA2}, {0x1E, 0x01}, {0x32, 0x80}, {0x3A, 0x0D},
	{0x3D, 0x88}, {0x40, 0xC0}, {0x70, 0x3A}, {0x71, 0x35}, {0x72, 0x11}, {0xA2, 0x02},
}

// OV7670 is the sensor. Its bus calls it from one goroutine at a time; the other methods must be called from there too.
type OV7670 struct {
	now     func() time.Duration
	regs    [256]byte
	pointer byte
	off     bool
	settled time.Duration
}

// NewOV7670 makes a sensor that has its power. now is the time since the simulation began; nil stands still.
func NewOV7670(now func() time.Duration) *OV7670 {
	if now == nil {
		now = func() time.Duration { return 0 }
	}
	c := &OV7670{now: now}
	c.Restart()
	return c
}

// Restart puts the sensor into its state at power-on.
func (c *OV7670) Restart() {
	c.regs, c.pointer, c.settled = [256]byte{}, 0, c.now()
	for _, d := range ovDefaults {
		c.regs[d[0]] = d[1]
	}
}

// Power switches the sensor on or off.
func (c *OV7670) Power(on bool) {
	if on && c.off {
		c.Restart()
	}
	c.off = !on
}

// Register gives what a register holds.
func (c *OV7670) Register(reg byte) byte { return c.regs[reg] }

// Ready reports whether the sensor acknowledges its address.
func (c *OV7670) Ready() bool { return !c.off }

// RepeatedStart refuses: SCCB has none.
func (c *OV7670) RepeatedStart() bool { return false }

// Receive takes a register's number and perhaps its value.
func (c *OV7670) Receive(w []byte) int {
	if len(w) == 0 {
		return 0
	}
	c.pointer = w[0]
	if len(w) == 1 || c.now() < c.settled {
		return len(w)
	}
	switch reg, v := w[0], w[1]; {
	case reg == 0x0A || reg == 0x0B || reg == 0x1C || reg == 0x1D: // the identity
	case reg == 0x12 && v&0x80 != 0:
		c.Restart()
		c.settled = c.now() + settleTime
	default:
		c.regs[reg] = v
	}
	return len(w)
}

// Transmit sends the chosen register; SCCB reads one byte, further ones are the same again.
func (c *OV7670) Transmit(r []byte) {
	for i := range r {
		r[i] = c.regs[c.pointer]
	}
}

// Disturbed does nothing: the sensor keeps no message.
func (c *OV7670) Disturbed() {}

// Output computes the picture. A sensor without power gives none.
func (c *OV7670) Output() Output {
	if c.off {
		return Output{}
	}
	r := &c.regs
	low := func(reg, shift byte) int { return int(r[reg] >> shift & 7) }
	start, stop := int(r[0x17])<<3|low(0x32, 0), int(r[0x18])<<3|low(0x32, 3)
	top, bottom := int(r[0x19])<<2|int(r[0x03]&3), int(r[0x1A])<<2|int(r[0x03]>>2&3)
	length := arrayColumns + int(r[0x2A]>>4)<<8 + int(r[0x2B])
	height := arrayRows + int(r[0x93])<<8 + int(r[0x92])
	o := Output{
		Width:  (stop - start + arrayColumns) % arrayColumns,
		Height: bottom - top,
		Rate:   clock / float64(int(r[0x11]&0x3F)+1) / float64(2*length*height),
		Mirror: r[0x1E]&0x20 != 0, Flip: r[0x1E]&0x10 != 0,
		Bars: r[0x42]&0x08 != 0,
	}
	// YUV and VGA, U before V, Y first, all values, and the undocumented register without which colours are wrong.
	o.YUYV = r[0x12]&0x3D == 0 && r[0x3D]&0x01 == 0 && r[0x3A]&0x08 == 0 && r[0x40]&0xF0 == 0xC0 && r[0xB0] == 0x84 &&
		r[0x0C] == 0 && r[0x3E] == 0
	c.manual(&o, length)
	return o
}

// manual fills in what is not automatic.
func (c *OV7670) manual(o *Output, length int) {
	r := &c.regs
	if r[0x13]&0x01 == 0 {
		n := int(r[0x07]&0x3F)<<10 | int(r[0x10])<<2 | int(r[0x04]&3)
		o.Exposure = rows(float64(n), length)
	}
	if r[0x13]&0x04 == 0 {
		g := uint(r[0x03]>>6)<<8 | uint(r[0x00])
		o.Gain = float64(uint(1)<<bits.OnesCount(g>>4)) * (1 + float64(float64(g&15)/16))
	}
	if r[0x13]&0x02 == 0 {
		o.Red, o.Green, o.Blue = float64(r[0x02])/64, 1, float64(r[0x01])/64
	}
}
