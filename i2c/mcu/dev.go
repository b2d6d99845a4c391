// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"periph.io/x/conn/v3"
	pi2c "periph.io/x/conn/v3/i2c"
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Addr is the 7-bit bus address. It defaults to [Addr].
	Addr uint16
	// Tries is the maximum number of attempts of a transaction. It defaults to 3.
	Tries int
	// OneShotTimeout is how long a one-shot may take until the MCU has accepted it. It defaults to 5 s.
	OneShotTimeout time.Duration
	// Selector is the selector position in which the robot answers on this bus. It defaults to [SelectorPi].
	Selector uint8
	// Now is the clock. It defaults to time.Now.
	Now func() time.Time
	// OnEvent is called from within [Dev.Exchange], which holds a lock: it must not call the Dev. It defaults to
	// none.
	OnEvent func(Event)
}

// withDefaults returns the options with all defaults filled in.
func (o *Opts) withDefaults() Opts {
	var r Opts
	if o != nil {
		r = *o
	}
	if r.Addr == 0 {
		r.Addr = Addr
	}
	if r.Tries == 0 {
		r.Tries = 3
	}
	if r.OneShotTimeout == 0 {
		r.OneShotTimeout = 5 * time.Second
	}
	if r.Selector == 0 {
		r.Selector = SelectorPi
	}
	if r.Now == nil {
		r.Now = time.Now
	}
	if r.OnEvent == nil {
		r.OnEvent = func(Event) {}
	}
	return r
}

// Dev is the main processor of one e-puck2 on a bus that the caller owns.
//
// One goroutine, the owner of the bus, calls [Dev.Exchange]. The one-shots, [Dev.Counters], [Dev.Pending],
// [Dev.WheelsListen] and [Dev.Diagnosis] are safe for concurrent use and do not wait for the bus; [Dev.Halt] is safe,
// too, but waits.
type Dev struct {
	bus  pi2c.Bus
	opts Opts
	cnt  counters
	req  requests

	wheels listening

	mu    sync.Mutex // guards all below; held during transactions
	w     [CommandSize]byte
	r     [SensorsSize]byte
	last  Command // last command given to Exchange, for the lights of packets the Dev makes itself
	dirty bool    // the MCU may have detected an I2C error: it drops the next command
	steps steps
	shot  oneShot
	cal   calibration
	seen  seen
}

var _ conn.Resource = (*Dev)(nil)

// New returns a device on the bus without a transaction. [Dev.Probe] checks whether the robot answers.
func New(bus pi2c.Bus, opts *Opts) (*Dev, error) {
	o := opts.withDefaults()
	switch {
	case bus == nil:
		return nil, errors.New("mcu: New: bus is nil")
	case o.Addr > 0x7F:
		return nil, fmt.Errorf("mcu: New: Opts.Addr %#x is not a 7-bit address", o.Addr)
	case o.Tries < 0:
		return nil, fmt.Errorf("mcu: New: Opts.Tries %d is negative", o.Tries)
	case o.OneShotTimeout < 0:
		return nil, fmt.Errorf("mcu: New: Opts.OneShotTimeout %v is negative", o.OneShotTimeout)
	}
	return &Dev{bus: bus, opts: o}, nil
}

// String names the device by its bus and address. It implements conn.Resource.
func (d *Dev) String() string { return fmt.Sprintf("e-puck2 MCU %s(%#02x)", d.bus, d.opts.Addr) }

// Counters returns the counters since the device was made.
func (d *Dev) Counters() Stats { return d.cnt.snapshot() }
