// SPDX-License-Identifier: Apache-2.0

// Package vground simulates the ground-sensor board on its I²C bus: three infrared sensors directed at the floor
// and, in the later edition, two cliff sensors.
//
// Registers are bytes, words big-endian, and a read continues at the next register:
//
//	0x00 reflected left, centre, right    0x06 ambient left, centre, right    0x0C software revision
//	0x0D cliff reflected right, left      0x11 cliff ambient right, left
//
// A register that does not exist reads 0xFF. The board measures on its own, every [Period]; reading it more often gives
// the same numbers. What is reflected follows the simulated robot of Webots: 1000 counts from a white floor that
// touches the sensor, 300 from one 16 mm away, and a noise of 10 % of the value.
package vground

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Address is the 7-bit address of the board.
const Address = 0x60

// Period is the time from one measurement to the next. The true figure is not known; the robot's own firmware asks
// every 40 ms.
const Period = 10 * time.Millisecond

// Sensor names a sensor of the board.
type Sensor uint8

// The sensors, in the order of the board's channels.
const (
	Left Sensor = iota
	Centre
	Right
	CliffRight
	CliffLeft
	Sensors // their number
)

// Spot is what one sensor looks at.
type Spot struct {
	Reflectance float64 // of the floor at 0 (black) to 1 (white)
	Height      float64 // of the sensor above it, m; +Inf over a cliff
	Light       float64 // infrared light from elsewhere, 0 (none) to 1 (direct sun)
}

// Floor is the world under the board.
type Floor interface {
	// Spot says what a sensor looks at now.
	Spot(s Sensor) Spot
}

// DefaultNoiseLevel is the standard deviation of a reading as a part of it; plausible.
const DefaultNoiseLevel = robot.GroundNoise

// Config describes a board.
type Config struct {
	// Floor must not be nil.
	Floor Floor
	// Now is the time since the simulation began. It defaults to a clock that does not advance.
	Now func() time.Duration
	// Noise is the source of the sensors' noise.
	Noise noise.Source
	// NoiseLevel is the standard deviation as a part of the value. It defaults to DefaultNoiseLevel; negative means
	// none.
	NoiseLevel float64
	// Cliff: the board has cliff sensors.
	Cliff bool
	// Revision is the version of the board's software. It defaults to 2.
	Revision uint8
}

// Board is the board. Its bus calls it from one goroutine at a time; the other methods must be called from there too.
type Board struct {
	cfg      Config
	register int
	present  bool
}

// New makes a board that is plugged in.
func New(cfg Config) *Board {
	if cfg.Now == nil {
		cfg.Now = func() time.Duration { return 0 }
	}
	if cfg.NoiseLevel == 0 {
		cfg.NoiseLevel = DefaultNoiseLevel
	}
	if cfg.Revision == 0 {
		cfg.Revision = 2
	}
	return &Board{cfg: cfg, present: true}
}

// Plug puts the board onto its connector or takes it away.
func (b *Board) Plug(in bool) {
	b.present = in
	if !in {
		b.Restart()
	}
}

// Ready reports whether the board acknowledges its address.
func (b *Board) Ready() bool { return b.present }

// Receive takes a register number; the registers cannot be written, so further bytes change nothing.
func (b *Board) Receive(w []byte) int {
	if len(w) > 0 {
		b.register = int(w[0])
	}
	return len(w)
}

// Transmit sends registers from the chosen one on.
func (b *Board) Transmit(r []byte) {
	n := uint64(max(b.cfg.Now(), 0) / Period)
	for i := range r {
		r[i] = b.read(b.register, n)
		b.register++
	}
}

// Disturbed does nothing: the board keeps no message.
func (b *Board) Disturbed() {}

// Restart is what a power cut does.
func (b *Board) Restart() { b.register = 0 }

// read gives one register in measurement n.
func (b *Board) read(register int, n uint64) byte {
	switch {
	case register < 0x06:
		return half(b.reflected(Sensor(register/2), n), register)
	case register < 0x0C:
		return half(b.ambient(Sensor((register-0x06)/2), n), register)
	case register == 0x0C:
		return b.cfg.Revision
	case !b.cfg.Cliff || register > 0x14:
		return 0xFF
	case register < 0x11:
		return half(b.reflected(CliffRight+Sensor((register-0x0D)/2), n), register+1)
	default:
		return half(b.ambient(CliffRight+Sensor((register-0x11)/2), n), register+1)
	}
}

// half gives the upper byte of a word at an even place, the lower one at an odd place.
func half(v uint16, place int) byte {
	if place%2 == 0 {
		return byte(v >> 8)
	}
	return byte(v)
}
