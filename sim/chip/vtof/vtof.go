// SPDX-License-Identifier: Apache-2.0

// Package vtof simulates a VL53L0X distance sensor on its I²C bus.
//
// The chip demands what the real one demands. Out of the box it measures
// nothing; it gives useful distances only after
//
//   - its memory was asked for the reference SPADs (pages 6 and 7) and exactly
//     those were switched on,
//   - the tuning settings are in,
//   - the bias of its photodiodes (VHV) was calibrated, and the phase for the
//     VCSEL periods in use,
//   - the "stop variable" was put back before the start.
//
// What is missing shows as on the real chip: a status that says "no target",
// "phase" or "not calibrated" instead of an error on the bus.
//
// The time of a measurement follows from the timing registers, the signal rate
// from the distance and the reflectance of the target, and the target is lost
// when the rate falls below the limit set or what light from elsewhere asks
// for, or the distance leaves the unambiguous range of the VCSEL periods set. The response and its noise are
// those of the Webots model of the e-puck2, from measurements.
//
// A [Chip] reads the time from the function it was given. It is not safe for
// concurrent use.
package vtof

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// Address is the 7-bit address after power-on.
const Address = 0x29

// Target is what the chip looks at.
type Target struct {
	// Distance is that of the nearest surface within the field of view, 25° wide in all, metres; +Inf if
	// there is none.
	Distance float64
	// Reflectance of that surface for infrared light: 0 black, 1 white.
	Reflectance float64
	// Ambient is other infrared light, in millions of counts per second.
	Ambient float64
}

// Scene is the world in front of the chip.
type Scene interface {
	// Target returns what is in front now.
	Target() Target
}

// Config describes a chip.
type Config struct {
	// Now returns the simulated time. It must not be nil.
	Now func() time.Duration
	// Scene must not be nil.
	Scene Scene
	// Noise is the source of the noise and of what differs from chip to chip:
	// the stop variable and the map of good SPADs.
	Noise noise.Source
	// Perfect switches the noise of distances off.
	Perfect bool
}

// Chip is the sensor, powered.
type Chip struct {
	cfg    Config
	mem    memory
	cal    calibration
	rng    ranging
	faults Faults

	stopVariable byte
	goodSPADs    [6]byte
	spadCount    int
	spadAperture bool

	down  bool // held in reset by register 0xBF
	epoch uint64
}

var (
	_ vbus.Chip      = (*Chip)(nil)
	_ vbus.Restarter = (*Chip)(nil)
)

// New returns a chip that has just been switched on.
func New(cfg Config) *Chip {
	c := &Chip{cfg: cfg}
	u := cfg.Noise.Named("VL53L0X factory")
	c.stopVariable = 0x30 | byte(u.Uint64(0)&0x0F)
	c.spadAperture = u.Uint64(1)&1 != 0
	c.spadCount = 3 + int(u.Uint64(2)%6)
	for i := range c.goodSPADs { // a quarter of them is bad
		c.goodSPADs[i] = byte(u.Uint64(uint64(10+i)) | u.Uint64(uint64(20+i)))
	}
	c.goodSPADs[0] |= 0xF8 // but enough are good
	c.goodSPADs[1] |= 0x07
	c.goodSPADs[3] |= 0xFF
	c.reset()
	return c
}

// reset puts all registers into their state at power-on.
func (c *Chip) reset() {
	c.mem.reset()
	c.mem.page[1][0x91] = c.stopVariable
	c.mem.page[1][0x00] = 1
	copy(c.mem.page[0][0xB0:], c.goodSPADs[:])
	c.cal = calibration{}
	c.rng = ranging{}
}

// Restart implements vbus.Restarter: the power was gone for a moment.
func (c *Chip) Restart() {
	c.down = false
	c.reset()
}

// Ready implements vbus.Chip.
func (c *Chip) Ready() bool { return !c.faults.Unplugged }

// Disturbed implements vbus.Chip: a message cut short leaves no trace.
func (c *Chip) Disturbed() {}
