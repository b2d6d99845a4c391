// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Reading is one measurement.
type Reading struct {
	// Field is the magnetic flux density in tesla, in the robot's axes, motors and magnets of the robot included.
	Field [3]float64
}

// Dev is one BMM150 on a bus it does not own. It is not safe for concurrent use: the goroutine that owns the bus calls
// all its methods.
type Dev struct {
	device.Resource
	chip *device.Chip
	plan *bringUp
	opts Opts

	reading Reading
	have    bool
	last    time.Time // when a measurement was last ready, or the chip brought up
	w       [1]byte
	r       [BlockSize]byte
}

var _ conn.Resource = (*Dev)(nil)

// New makes a device; it makes no transaction. Address 0 means to look at all four. Errors match device.ErrOption.
func New(bus pi2c.Bus, addr uint16, opts *Opts) (*Dev, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("bmm150: New: %w", err)
	}
	addresses := []uint16{addr}
	if addr == 0 {
		addresses = []uint16{Addr, Addr + 1, Addr + 2, LastAddr}
	}
	d := &Dev{opts: o, plan: newBringUp(&o, addresses)}
	if d.chip, err = device.NewChip("BMM150", bus, addresses[0], d.plan, o.Opts); err != nil {
		return nil, fmt.Errorf("bmm150: New: %w", err)
	}
	d.plan.chip, d.Resource = d.chip, d.chip.Shown()
	return d, nil
}

// Variance is that of a [Reading] per axis, T², from the data sheet.
func (d *Dev) Variance() float64 { return presets[d.opts.Preset].rms * presets[d.opts.Preset].rms }

// Sense gives the last measurement, or an error that matches device.ErrNoReading while there is none since the chip was
// brought up, or device.ErrHalted.
func (d *Dev) Sense(r *Reading) error {
	if err := d.chip.Readable(d.have); err != nil {
		return err
	}
	*r = d.reading
	return nil
}

// Halt suspends the chip; the next Poll brings it up again. It implements conn.Resource.
func (d *Dev) Halt() error {
	d.have = false
	if err := d.chip.Halt([]byte{regPower, 0x00}); err != nil {
		return fmt.Errorf("bmm150: Halt: %w", err)
	}
	return nil
}

// Poll goes on with what the chip is at, at the time now, in at most Opts.Budget transactions: a step of the
// bring-up, or one that fetches a measurement. It reports whether there is a new one, which [Dev.Sense] then gives.
//
// The error tells what went wrong in this call, for the diagnostics; calling again is right. It matches
// i2c.ErrBus, [ErrOverflow], [ErrImplausible], or an error of package device.
func (d *Dev) Poll(now time.Time) (fresh bool, err error) {
	wasUp := d.State() == device.Running
	running, err := d.chip.Poll(now)
	if !running {
		return false, err
	}
	if !wasUp {
		d.ready(now)
		d.have = false
		return false, nil
	}
	if !d.chip.Due(now) {
		return false, nil
	}
	fresh, err = d.measure(now)
	if d.State() != device.Running {
		d.have = false
	}
	return fresh, err
}

// measure fetches a measurement if there is one.
func (d *Dev) measure(now time.Time) (bool, error) {
	if err := d.read(now, regData, d.r[:]); err != nil {
		return false, err
	}
	b := split(d.r[:])
	if !b.ready {
		return false, d.late(now)
	}
	d.ready(now)
	field, err := d.plan.trim.field(b)
	if err != nil {
		d.chip.Reject(err)
		return false, err
	}
	d.reading, d.have = Reading{d.opts.Rotation.Apply(field)}, true
	d.chip.Accept()
	return true, nil
}

// ready notes when a measurement was ready, and plans the next look.
func (d *Dev) ready(now time.Time) {
	d.last = now
	d.chip.Rest(now.Add(d.opts.period() / 2))
}

// late finds out why there is no measurement: a chip that was reset is suspended, one that is stuck is not.
func (d *Dev) late(now time.Time) error {
	late := now.Sub(d.last)
	if late < 2*d.opts.period()+20*time.Millisecond {
		return nil
	}
	modes := d.r[:2]
	if err := d.read(now, regPower, modes); err != nil {
		return err
	}
	if modes[0] != powerOn || modes[1] != d.plan.control {
		return d.chip.Lost(now, fmt.Errorf("bmm150: %w: registers 0x4b and 0x4c are % x, were set to 01 %02x",
			device.ErrReset, modes, d.plan.control))
	}
	if late > 4*d.opts.period()+200*time.Millisecond {
		return d.chip.Lost(now, fmt.Errorf("bmm150: %w: no measurement for %v", device.ErrFrozen, late))
	}
	return nil
}

func (d *Dev) read(now time.Time, reg byte, r []byte) error {
	d.w[0] = reg
	return d.chip.Tx(now, 0, d.w[:], r)
}
