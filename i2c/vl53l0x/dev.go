// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Dev is one VL53L0X on a bus it does not own. It is not safe for concurrent use: the goroutine that owns the bus calls
// all its methods.
type Dev struct {
	device.Resource
	chip  *device.Chip
	plan  *bringUp
	opts  Opts
	every time.Duration // measurement period

	overdue time.Time // time of the first Poll without a measurement since then, zero if none
	unclear bool      // the last measurement has been read and not yet acknowledged
	reading Reading
	have    bool
	w       [2]byte
	r       [resultSize]byte
}

var _ conn.Resource = (*Dev)(nil)

// New returns a device without a transaction. Address 0 means [Addr]. Errors match device.ErrOption.
func New(bus pi2c.Bus, addr uint16, opts *Opts) (*Dev, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("vl53l0x: New: %w", err)
	}
	if addr == 0 {
		addr = Addr
	}
	plan := newBringUp(o)
	chip, err := device.NewChip("VL53L0X", bus, addr, plan, o.Opts)
	if err != nil {
		return nil, fmt.Errorf("vl53l0x: New: %w", err)
	}
	return &Dev{Resource: chip.Shown(), chip: chip, plan: plan, opts: o, every: max(o.Period, o.TimingBudget)}, nil
}

// Sense returns the last measurement. The error matches device.ErrNoReading if there has been none since the chip was
// brought up, or device.ErrHalted.
func (d *Dev) Sense(r *Reading) error {
	if err := d.chip.Readable(d.have); err != nil {
		return err
	}
	*r = d.reading
	return nil
}

// Halt stops the measurements; the next Poll brings the chip up again. It implements conn.Resource.
func (d *Dev) Halt() error {
	d.have, d.unclear = false, false
	if err := d.chip.Halt(
		[]byte{regRangeStart, 0x01},
		[]byte{regPage, 0x01}, []byte{0x00, 0x00}, []byte{regStop, 0x00}, []byte{0x00, 0x01}, []byte{regPage, 0x00},
	); err != nil {
		return fmt.Errorf("vl53l0x: Halt: %w", err)
	}
	return nil
}
