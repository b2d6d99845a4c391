// SPDX-License-Identifier: Apache-2.0

package pipuck

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Addr is the address of the FT903 on the board's bus (channel 0 of the multiplexer).
const Addr = 0x1C

// LEDs is the number of LEDs on the board.
const LEDs = 3

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Refresh is the time between two writes of unchanged LEDs, one LED per write: they show whether the chip is
	// present, and restore what an unnoticed reset has switched off. It defaults to 1 s.
	Refresh time.Duration
	// Opts has the interval of the search for an absent chip and the number of failures of a lost one. Tries defaults
	// to 5 here.
	device.Opts
}

// Dev is the three LEDs of the board, on a bus it does not own. [Dev.Set] and [Dev.Colour] may be called from any
// goroutine and do not wait; all other methods belong to the goroutine that owns the bus.
type Dev struct {
	device.Resource
	chip    *device.Chip
	opts    Opts
	wanted  atomic.Uint32 // three bits per LED
	written [LEDs]Colour
	known   [LEDs]bool // written is what the chip shows
	turn    int        // LED to refresh next
	at      int        // LED that is being written
	write   device.Step
}

// New returns a device at the address, usually [Addr], without a transaction. The error matches device.ErrOption.
func New(bus pi2c.Bus, addr uint16, opts *Opts) (*Dev, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	if o.Refresh < 0 {
		return nil, fmt.Errorf("pipuck: %w: Refresh is %v", device.ErrOption, o.Refresh)
	}
	if o.Refresh == 0 {
		o.Refresh = time.Second
	}
	d := &Dev{opts: o}
	d.write = device.Step{Write: make([]byte, 2), Tries: 1, Prepare: d.prepare, Check: d.done}
	chip, err := device.NewChip("Pi-puck LEDs", bus, addr, device.Found(d.write), o.WithDefaults(5, time.Second))
	if err != nil {
		return nil, fmt.Errorf("pipuck: %w", err)
	}
	d.Resource, d.chip = chip.Shown(), chip
	return d, nil
}

// Set sets the colour of LED i, 0 to 2; [Dev.Poll] writes it.
func (d *Dev) Set(i int, c Colour) error {
	if i < 0 || i >= LEDs {
		return fmt.Errorf("%w: %d is not within 0 and %d", errLED, i, LEDs-1)
	}
	shift := 3 * i
	for {
		old := d.wanted.Load()
		if d.wanted.CompareAndSwap(old, old&^(7<<shift)|uint32(c&White)<<shift) {
			return nil
		}
	}
}

// Colour returns the colour set for LED i; off for one that does not exist.
func (d *Dev) Colour(i int) Colour {
	if i < 0 || i >= LEDs {
		return Off
	}
	return Colour(d.wanted.Load()>>(3*i)) & White
}

// Next is the time at which [Dev.Poll] will do something; a time in the past: at any call.
func (d *Dev) Next() time.Time {
	if _, waiting := d.pending(); waiting && d.Present() {
		return time.Time{}
	}
	return d.Resource.Next()
}

// Poll makes at most one transaction: it writes an LED that has changed, or periodically one that has not, or searches
// for an absent chip. The error is that of the transaction.
func (d *Dev) Poll(now time.Time) error {
	known := d.Present()
	d.at, _ = d.pending()
	running, err := d.chip.Poll(now)
	if running && known {
		err = d.refresh(now)
	}
	if running && !known && err == nil {
		d.chip.Rest(now.Add(d.opts.Refresh))
	}
	return err
}

// refresh writes an LED of a chip that is present.
func (d *Dev) refresh(now time.Time) error {
	at, waiting := d.pending()
	if !waiting {
		if !d.chip.Due(now) {
			return nil
		}
		at = d.turn
		d.turn = (d.turn + 1) % LEDs
	}
	d.at = at
	if _, err := d.chip.Do(now, &d.write); err != nil {
		if d.known[at] = false; !d.Present() {
			d.known = [LEDs]bool{}
		}
		return err
	}
	d.chip.Rest(now.Add(d.opts.Refresh))
	return nil
}

// pending returns an LED whose colour has not been written.
func (d *Dev) pending() (int, bool) {
	for i := range LEDs {
		if !d.known[i] || d.written[i] != d.Colour(i) {
			return i, true
		}
	}
	return 0, false
}

// prepare is the only place that produces bytes for the chip: a register 0 to 2 and a colour 0 to 7.
func (d *Dev) prepare(w []byte) { w[0], w[1] = byte(d.at), byte(d.Colour(d.at)) }

// done stores what was written; there is nothing to read.
func (d *Dev) done([]byte) error {
	d.written[d.at], d.known[d.at] = Colour(d.write.Write[1]), true
	return nil
}

// Halt switches the LEDs off, with one transaction each, unless the chip is absent. It implements conn.Resource.
func (d *Dev) Halt() error {
	var all error
	now := time.Time{}
	for i := range LEDs {
		_ = d.Set(i, Off) // i exists
		if d.at = i; d.Present() {
			_, err := d.chip.Do(now, &d.write)
			all = errors.Join(all, err)
		}
	}
	return all
}
