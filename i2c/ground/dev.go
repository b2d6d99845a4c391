// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"bytes"
	"fmt"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Addr is the address of the board.
const Addr = 0x60

// Cliff is whether the board has cliff sensors.
type Cliff uint8

// The choices.
const (
	// cliffAuto: determined when the board is found, by registers 0x0D to 0x14.
	cliffAuto Cliff = iota
	// cliffNone: they are not read.
	cliffNone
	// cliffPresent: they are read.
	cliffPresent
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Cliff defaults to cliffAuto.
	Cliff Cliff
	// Opts has the interval of the search for an absent board and the number of failures of a lost one. Tries defaults
	// to 5 here.
	device.Opts
}

// Dev is the board on a bus it does not own. It belongs to the goroutine that owns the bus.
type Dev struct {
	device.Resource
	chip     *device.Chip
	opts     Opts
	cliff    bool
	revision uint8
	reading  Reading
	have     bool
	measure  device.Step
}

// New returns a device at the address, usually [Addr], without a transaction. The error matches device.ErrOption.
func New(bus pi2c.Bus, addr uint16, opts *Opts) (*Dev, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	if o.Cliff > cliffPresent {
		return nil, fmt.Errorf("ground: %w: Cliff is %d", device.ErrOption, o.Cliff)
	}
	d := &Dev{opts: o, cliff: o.Cliff == cliffPresent}
	d.measure = device.Step{Write: []byte{0}, Check: d.decode}
	look := device.Step{Write: []byte{0}, Read: fullSize, Tries: 1, Check: d.identify}
	chip, err := device.NewChip("ground sensors", bus, addr, device.Found(look), o.WithDefaults(5, time.Second))
	if err != nil {
		return nil, fmt.Errorf("ground: %w", err)
	}
	d.Resource, d.chip = chip.Shown(), chip
	return d, nil
}

// Cliff reports whether the board has cliff sensors; false while it is absent, unless the options say so.
func (d *Dev) Cliff() bool { return d.cliff }

// Revision is the version of the board's software, 0 while the board is absent.
func (d *Dev) Revision() uint8 { return d.revision }

// WireBytes is the number of bytes of the next transaction, addresses included, to plan the bus time.
func (d *Dev) WireBytes() int { return 3 + d.size() }

func (d *Dev) size() int {
	if !d.Present() || d.cliff {
		return fullSize
	}
	return shortSize
}

// Poll makes at most one transaction: it reads all sensors, or periodically searches for an absent board. It reports
// whether there is a new reading, see [Dev.Sense]. The first reading of a board is the one that finds it. The error
// matches i2c.ErrBus, or names the register with an impossible value.
func (d *Dev) Poll(now time.Time) (fresh bool, err error) {
	known := d.Present()
	running, err := d.chip.Poll(now)
	if running && known {
		d.measure.Read = d.size()
		_, err = d.chip.Do(now, &d.measure)
	}
	switch {
	case known && !d.Present():
		d.have, d.revision, d.cliff = false, 0, d.opts.Cliff == cliffPresent
	case running && err == nil:
		d.have = true
		d.chip.Accept()
	}
	return running && err == nil, err
}

// Sense returns the last reading. The error matches device.ErrNoReading while the board is absent.
func (d *Dev) Sense(r *Reading) error {
	if err := d.chip.Readable(d.have); err != nil {
		return err
	}
	*r = d.reading
	return nil
}

// decode decodes what was read.
func (d *Dev) decode(p []byte) error {
	got, err := Decode(p)
	if err == nil {
		d.reading = got
	}
	return err
}

// identify looks at the full burst of a board that was not known, and takes its reading.
func (d *Dev) identify(p []byte) error {
	if err := validate(p); err != nil {
		return err
	}
	// Zeros are what a board measures over an edge, where a robot needs it most. But it has a revision: without one the
	// device answers with an empty buffer.
	if bytes.Count(p[:probeSize], []byte{0}) == probeSize {
		return errAllZero
	}
	if p[probeSize-1] == 0xFF {
		return fmt.Errorf("%w: software revision (register 0x0C) is 0xff", errImplausible)
	}
	d.revision = p[probeSize-1]
	if d.opts.Cliff == cliffAuto {
		d.cliff = hasCliff(p)
	}
	if !d.cliff {
		p = p[:shortSize]
	}
	return d.decode(p)
}
