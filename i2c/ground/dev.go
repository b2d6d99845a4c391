// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"bytes"
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/presence"
)

// Addr is the address of the board.
const Addr = 0x60

// Cliff says whether the board is taken to have cliff sensors.
type Cliff uint8

// The choices.
const (
	// CliffAuto: found out when the board appears, from what registers 0x0D to 0x14 hold.
	CliffAuto Cliff = iota
	// CliffNone: they are not read.
	CliffNone
	// CliffPresent: they are read.
	CliffPresent
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Cliff defaults to [CliffAuto].
	Cliff Cliff
	// Presence says how often to look for an absent board and when to give up one that was there.
	Presence presence.Config
}

// Dev is the board on a bus it does not own. It belongs to the goroutine that owns the bus.
type Dev struct {
	bus      pi2c.Bus
	addr     uint16
	opts     Opts
	tracker  presence.Tracker
	cliff    bool
	revision uint8
	w        [1]byte
	r        [fullSize]byte
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
	case o.Cliff > CliffPresent:
		return nil, fmt.Errorf("%w: Cliff is %d", ErrOpts, o.Cliff)
	}
	return &Dev{bus: bus, addr: addr, opts: o, tracker: presence.New(o.Presence), cliff: o.Cliff == CliffPresent}, nil
}

// String names the device by its bus and address. It implements conn.Resource.
func (d *Dev) String() string { return fmt.Sprintf("ground sensors %s(%#02x)", d.bus, d.addr) }

// Halt has nothing to do: the board only measures. It implements conn.Resource.
func (d *Dev) Halt() error { return nil }

// Present reports whether the board is there, as of the last [Dev.Poll].
func (d *Dev) Present() bool { return d.tracker.Present() }

// Cliff reports whether the board has cliff sensors; false while it is absent, unless the options say so.
func (d *Dev) Cliff() bool { return d.cliff }

// Revision is the version of the board's software, 0 until it was found.
func (d *Dev) Revision() uint8 { return d.revision }

// State says whether it is there, as of the last [Dev.Poll].
func (d *Dev) State() device.State { return d.tracker.State() }

// Stats gives the counters.
func (d *Dev) Stats() presence.Stats { return d.tracker.Stats() }

// Next is when [Dev.Poll] will do something; zero: whenever it is called.
func (d *Dev) Next() time.Time { return d.tracker.Next() }

// WireBytes is how many bytes the next transaction puts on the wire, addresses included, to plan the bus time with.
func (d *Dev) WireBytes() int { return 3 + d.size() }

func (d *Dev) size() int {
	if !d.tracker.Present() || d.cliff {
		return fullSize
	}
	return shortSize
}

// Poll makes at most one transaction: it reads all sensors into r, or looks for an absent board now and then. r is
// valid if and only if the error is nil. While the board is absent the error is [ErrAbsent] without a transaction, or
// what the attempt to find it gave. The event says whether the board has just appeared or gone.
func (d *Dev) Poll(now time.Time, r *Reading) (presence.Event, error) {
	if !d.tracker.Due(now) {
		return presence.None, ErrAbsent
	}
	err := d.Sense(r)
	if err != nil {
		e := d.tracker.Missed(now, err)
		if e == presence.Lost {
			d.revision, d.cliff = 0, d.opts.Cliff == CliffPresent
		}
		return e, err
	}
	return d.tracker.Seen(), nil
}

// Sense makes one transaction and decodes it, whether the board is known to be there or not. r is untouched by an
// error, which matches i2c.ErrBus or [ErrImplausible].
func (d *Dev) Sense(r *Reading) error {
	p := d.r[:d.size()]
	d.w[0] = 0
	if err := i2c.Tx(d.bus, d.addr, d.w[:], p); err != nil {
		return err
	}
	if !d.tracker.Present() {
		if err := d.identify(p); err != nil {
			return err
		}
		if !d.cliff {
			p = p[:shortSize]
		}
	}
	got, err := Decode(p)
	if err != nil {
		return err
	}
	*r = got
	return nil
}

// identify looks at the full burst of a board that was not known.
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
		return fmt.Errorf("%w: software revision (register 0x0C) is 0xff", ErrImplausible)
	}
	d.revision = p[probeSize-1]
	if d.opts.Cliff == CliffAuto {
		d.cliff = hasCliff(p)
	}
	return nil
}
