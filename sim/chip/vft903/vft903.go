// SPDX-License-Identifier: Apache-2.0

// Package vft903 simulates the Pi-puck's FT903 on the board's I²C bus: three LEDs in registers 0 to 2, each a byte
// 0b00000BGR, and its firmware-update mode (DFU). Any byte 0xFF within three seconds of a reset starts that mode, in
// which the chip shows no LED, sends no camera picture and does not answer until the next reset. Other bytes that are
// written in these three seconds are acknowledged and lost (York's pi-puck-ft903, main.c; GCtronic's
// ft903-program-dfu.sh).
package vft903

import (
	"slices"
	"time"
)

// Address is the 7-bit address of the chip.
const Address = 0x1C

// dfuWindow is how long after a reset a byte 0xFF starts the update mode, and other writes are lost.
const dfuWindow = 3 * time.Second

// leDs is the number of LEDs.
const leDs = 3

// Config describes a chip. The zero value of each field means its default.
type Config struct {
	// Now is the time since the simulation began. It defaults to a clock that does not advance.
	Now func() time.Duration
	// BootTime is how long the chip does not answer after a reset. The true figure is not known; it defaults to 0.
	BootTime time.Duration
}

// Chip is the chip. Its bus calls it from one goroutine at a time; the other methods must be called from there too.
type Chip struct {
	cfg      Config
	leds     [leDs]byte
	register byte
	started  time.Duration
	held     bool
	dfu      bool
}

// New makes a chip that has had its power for long: the Raspberry Pi takes longer to start.
func New(cfg Config) *Chip {
	if cfg.Now == nil {
		cfg.Now = func() time.Duration { return 0 }
	}
	return &Chip{cfg: cfg, started: cfg.Now() - max(dfuWindow, cfg.BootTime)}
}

// LED gives the colour of LED i as 0b00000BGR; 0 for an LED that does not exist.
func (c *Chip) LED(i int) byte {
	if i < 0 || i >= leDs || c.held || c.dfu {
		return 0
	}
	return c.leds[i]
}

// DFU reports whether the chip waits for new firmware.
func (c *Chip) DFU() bool { return c.dfu }

// Reset sets the reset line: true holds the chip in reset, false starts it.
func (c *Chip) Reset(held bool) {
	if c.held && !held {
		c.Restart()
	}
	c.held = held
}

// Restart puts the chip into its state at power-on.
func (c *Chip) Restart() {
	c.leds, c.register, c.dfu = [leDs]byte{}, 0, false
	c.started = c.cfg.Now()
}

// Ready reports whether the chip acknowledges its address.
func (c *Chip) Ready() bool { return !c.held && !c.dfu && c.cfg.Now()-c.started >= c.cfg.BootTime }

// Receive takes a register and its value. Other registers are ignored, more bytes too; but every byte may spring the
// trap, and while it is set none counts.
func (c *Chip) Receive(w []byte) int {
	if c.cfg.Now()-c.started < dfuWindow {
		if i := slices.Index(w, 0xFF); i >= 0 {
			c.dfu = true
			return i + 1
		}
		return len(w)
	}
	if len(w) > 0 {
		c.register = w[0]
	}
	if len(w) > 1 && c.register < leDs {
		c.leds[c.register] = w[1] & 7
	}
	return len(w)
}

// Transmit sends the register that was chosen last and those after it, a byte each; there is nothing behind the LEDs.
func (c *Chip) Transmit(r []byte) {
	for i := range r {
		r[i] = 0
		if c.register < leDs {
			r[i] = c.leds[c.register]
		}
		c.register++
	}
}

// Disturbed does nothing: the chip keeps no message.
func (c *Chip) Disturbed() {}
