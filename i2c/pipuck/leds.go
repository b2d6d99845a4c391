// SPDX-License-Identifier: Apache-2.0

package pipuck

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/presence"
)

// Addr is the address of the FT903 on the board's bus (channel 0 of the multiplexer).
const Addr = 0x1C

// LEDs is the number of LEDs on the board.
const LEDs = 3

// WireBytes is how many bytes a transaction of a [Dev] puts on the wire, the address included.
const WireBytes = 3

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Refresh is the time between two writes of LEDs that have not changed, one after the other: they show whether the
	// chip is there, and heal what a reset that nobody told us of has put out. It defaults to 1 s.
	Refresh time.Duration
	// Presence says how often to look for an absent chip and when to give up one that was there.
	Presence presence.Config
}

// Dev is the three LEDs of the board, on a bus it does not own. [Dev.Set] and [Dev.Colour] may be called from any
// goroutine and never wait; all others belong to the goroutine that owns the bus.
type Dev struct {
	bus     pi2c.Bus
	addr    uint16
	opts    Opts
	tracker presence.Tracker
	wanted  atomic.Uint32 // three bits an LED
	written [LEDs]Colour
	known   [LEDs]bool // written is what the chip shows
	turn    int        // LED to refresh next
	refresh time.Time
	w       [2]byte
}

var _ conn.Resource = (*Dev)(nil)

// New makes a device at the address, usually [Addr]; it makes no transaction.
func New(bus pi2c.Bus, addr uint16, opts *Opts) (*Dev, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	switch {
	case bus == nil:
		return nil, fmt.Errorf("%w: bus is nil", ErrOpts)
	case addr > 0x7F:
		return nil, fmt.Errorf("%w: address %#x has more than 7 bits", ErrOpts, addr)
	case o.Refresh < 0:
		return nil, fmt.Errorf("%w: Refresh is %v", ErrOpts, o.Refresh)
	}
	if o.Refresh == 0 {
		o.Refresh = time.Second
	}
	return &Dev{bus: bus, addr: addr, opts: o, tracker: presence.New(o.Presence)}, nil
}

// String names the device by its bus and address. It implements conn.Resource.
func (d *Dev) String() string { return fmt.Sprintf("Pi-puck LEDs %s(%#02x)", d.bus, d.addr) }

// Set says what LED i, 0 to 2, is to show; [Dev.Poll] writes it.
func (d *Dev) Set(i int, c Colour) error {
	if i < 0 || i >= LEDs {
		return fmt.Errorf("%w: %d is not within 0 and %d", ErrLED, i, LEDs-1)
	}
	shift := 3 * i
	for {
		old := d.wanted.Load()
		if d.wanted.CompareAndSwap(old, old&^(7<<shift)|uint32(c&White)<<shift) {
			return nil
		}
	}
}

// Colour gives what LED i is to show; off for one that does not exist.
func (d *Dev) Colour(i int) Colour {
	if i < 0 || i >= LEDs {
		return Off
	}
	return Colour(d.wanted.Load()>>(3*i)) & White
}

// Present reports whether the chip is there, as of the last [Dev.Poll].
func (d *Dev) Present() bool { return d.tracker.Present() }

// State says whether it is there, as of the last [Dev.Poll].
func (d *Dev) State() device.State { return d.tracker.State() }

// Stats gives the counters.
func (d *Dev) Stats() presence.Stats { return d.tracker.Stats() }

// Next is when [Dev.Poll] will do something; a time in the past: when it is called.
func (d *Dev) Next() time.Time {
	switch _, waiting := d.pending(); {
	case !d.tracker.Present():
		return d.tracker.Next()
	case waiting:
		return time.Time{}
	}
	return d.refresh
}

// Poll makes at most one transaction: it writes an LED that has changed, or now and then one that has not, or looks for
// an absent chip. Without anything to do the error is nil, or [ErrAbsent] if the chip is not there. The event says
// whether it has just appeared or gone.
func (d *Dev) Poll(now time.Time) (presence.Event, error) {
	if !d.tracker.Due(now) {
		return presence.None, ErrAbsent
	}
	i, waiting := d.pending()
	if !waiting {
		if now.Before(d.refresh) {
			return presence.None, nil
		}
		i = d.turn
		d.turn = (d.turn + 1) % LEDs
	}
	if err := d.write(i, d.Colour(i)); err != nil {
		d.known[i] = false
		e := d.tracker.Missed(now, err)
		if e == presence.Lost {
			d.known = [LEDs]bool{}
		}
		return e, err
	}
	d.refresh = now.Add(d.opts.Refresh)
	return d.tracker.Seen(), nil
}

// pending finds an LED that does not show what it is to show.
func (d *Dev) pending() (int, bool) {
	for i := range LEDs {
		if !d.known[i] || d.written[i] != d.Colour(i) {
			return i, true
		}
	}
	return 0, false
}

// write is the only place that sends bytes to the chip: a register 0 to 2 and a colour 0 to 7.
func (d *Dev) write(i int, c Colour) error {
	d.w = [2]byte{byte(i), byte(c & White)}
	if err := i2c.Tx(d.bus, d.addr, d.w[:], nil); err != nil {
		return err
	}
	d.written[i], d.known[i] = c, true
	return nil
}

// Halt puts the LEDs out, with one transaction each, unless the chip is absent. It implements conn.Resource.
func (d *Dev) Halt() error {
	var all error
	for i := range LEDs {
		_ = d.Set(i, Off) // i exists
		if d.tracker.Present() {
			all = errors.Join(all, d.write(i, Off))
		}
	}
	return all
}
