// SPDX-License-Identifier: Apache-2.0

// Package vmag simulates a BMM150 magnetometer, the Pi-puck's add-on, on its I²C bus.
//
// After power-on it is suspended: only register 0x4B answers with sense, all
// others read zero. Awake it sleeps until an operation mode is set: normal, in
// which it measures at a rate of its own, or forced, in which it measures once
// and sleeps again. Its data are raw counts that depend on the trim of the chip and on the
// resistance of its Hall plate, which follows the temperature, so that a
// driver must apply the trim to get the field. Suspending clears all settings.
//
// The magnetometers inside the IMUs are in package vimu.
package vmag

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// Address is the first of the four addresses.
const Address = 0x10

// World is where the chip is.
type World interface {
	// Field returns the magnetic flux density now, tesla, in the chip's axes,
	// and the temperature, °C.
	Field() (field [3]float64, temperature float64)
}

// Config describes a chip.
type Config struct {
	// Now returns the simulated time. It must not be nil.
	Now func() time.Duration
	// World must not be nil.
	World World
	// Noise is the source of the noise and of the trim.
	Noise noise.Source
	// Perfect switches the noise off.
	Perfect bool
}

// Chip is the magnetometer, powered.
type Chip struct {
	cfg    Config
	mem    [128]byte
	index  byte
	trim   trim
	since  time.Duration // when measuring began
	taken  int64
	forced bool // one measurement is under way, of what was there at since
	still  moment
	sample uint64
	faults Faults
}

// moment is what the chip measures.
type moment struct {
	field       [3]float64
	temperature float64
}

// Faults are what may be wrong with a chip.
type Faults struct {
	// Unplugged: the chip does not acknowledge its address.
	Unplugged bool
	// Frozen: it answers, and does not measure any more.
	Frozen bool
	// ID is what the identity register reads instead; 0 leaves it.
	ID byte
	// NoTrim: the memory with the trim data is blank.
	NoTrim bool
}

var (
	_ vbus.Chip      = (*Chip)(nil)
	_ vbus.Restarter = (*Chip)(nil)
)

// New returns a chip that has just been switched on.
func New(cfg Config) *Chip {
	return &Chip{cfg: cfg, trim: drawTrim(cfg.Noise)}
}

// Inject sets what is wrong from now on; the zero value mends everything.
func (c *Chip) Inject(f Faults) { c.faults = f }

// Restart implements vbus.Restarter: the power was gone for a moment.
func (c *Chip) Restart() { c.mem, c.forced = [128]byte{}, false }

// Ready implements vbus.Chip.
func (c *Chip) Ready() bool { return !c.faults.Unplugged }

// Disturbed implements vbus.Chip.
func (c *Chip) Disturbed() {}

// Registers that do something.
const (
	regID      = 0x40
	regData    = 0x42
	regPower   = 0x4B
	regControl = 0x4C
	regAxes    = 0x4E
	regRepXY   = 0x51
	regRepZ    = 0x52
)

// Receive implements vbus.Chip.
func (c *Chip) Receive(w []byte) int {
	if len(w) == 0 {
		return 0
	}
	c.index = w[0] & 0x7F
	for _, v := range w[1:] {
		c.store(c.index, v)
		c.index = (c.index + 1) & 0x7F
	}
	return len(w)
}

// Transmit implements vbus.Chip.
func (c *Chip) Transmit(r []byte) {
	c.update()
	for i := range r {
		r[i] = c.load(c.index)
		c.index = (c.index + 1) & 0x7F
	}
}

func (c *Chip) awake() bool { return c.mem[regPower]&1 != 0 }

func (c *Chip) load(reg byte) byte {
	v := c.mem[reg]
	switch {
	case !c.awake() && reg != regPower:
		return 0
	case reg == regID:
		if v = 0x32; c.faults.ID != 0 {
			v = c.faults.ID
		}
	case reg >= trimBase && !c.faults.NoTrim && int(reg-trimBase) < len(c.trim.image):
		v = c.trim.image[reg-trimBase]
	case reg == regData+6:
		c.mem[reg] &^= 1 // data ready is cleared by reading
	}
	return v
}

func (c *Chip) store(reg, v byte) {
	switch {
	case reg == regPower && v&1 == 0:
		c.mem, c.forced = [128]byte{}, false
		return
	case reg == regPower && !c.awake():
		c.mem[regControl] = 0x06 // sleep
	case !c.awake() && reg != regPower:
		return
	}
	c.mem[reg] = v
	if reg == regControl {
		c.since, c.taken = c.cfg.Now(), 0
		if c.forced = v>>1&3 == opForced; c.forced {
			c.still = c.surroundings()
		}
	}
}

// Modes of operation, bits 1 and 2 of regControl.
const (
	opNormal = 0
	opForced = 1
	opSleep  = 3
)

// surroundings gives what is there now.
func (c *Chip) surroundings() (m moment) {
	m.field, m.temperature = c.cfg.World.Field()
	return m
}

// takes is how long one measurement lasts, by the repetitions (data sheet, 4.2.4).
func (c *Chip) takes() time.Duration {
	xy, z := 2*int(c.mem[regRepXY])+1, int(c.mem[regRepZ])+1
	return time.Duration(145*xy+500*z+980) * time.Microsecond
}

// period is the time between two measurements, 0 if the chip sleeps.
func (c *Chip) period() time.Duration {
	if !c.awake() || c.mem[regControl]>>1&3 != opNormal {
		return 0
	}
	return time.Second / time.Duration([8]int{10, 2, 6, 8, 15, 20, 25, 30}[c.mem[regControl]>>3&7])
}

// update takes the newest measurement.
func (c *Chip) update() {
	switch p := c.period(); {
	case c.faults.Frozen:
	case c.forced && c.cfg.Now()-c.since >= c.takes():
		c.forced = false
		c.mem[regControl] |= opSleep << 1
		c.measure(c.still)
	case p > 0:
		if n := int64((c.cfg.Now() - c.since) / p); n > c.taken {
			c.taken = n
			c.measure(c.surroundings())
		}
	}
}

// measure makes a measurement.
func (c *Chip) measure(m moment) {
	c.sample++
	field := m.field
	// The noise falls with the root of the repetitions: 0.6 µT at 9 and 15.
	xy, z := float64(2*int(c.mem[regRepXY])+1), float64(int(c.mem[regRepZ])+1)
	for i, v := range [3]float64{9 / xy, 9 / xy, 15 / z} {
		if !c.cfg.Perfect {
			field[i] += float64(regularNoise * math.Sqrt(v) * c.cfg.Noise.Named("BMM150").Stream(uint64(i)).Normal(c.sample))
		}
	}
	hall := c.trim.hall(m.temperature)
	x, y, zz := c.trim.counts(field, hall)
	if c.mem[regAxes]&0x38 != 0 { // an axis switched off
		x, y, zz = 0, 0, 0
	}
	d := c.mem[regData : regData+8]
	binary.LittleEndian.PutUint16(d, uint16(x<<3))
	binary.LittleEndian.PutUint16(d[2:], uint16(y<<3))
	binary.LittleEndian.PutUint16(d[4:], uint16(zz<<1))
	binary.LittleEndian.PutUint16(d[6:], uint16(hall)<<2|1)
}
