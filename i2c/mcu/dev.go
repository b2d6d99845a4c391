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
	// Tries is how often a failing transaction is made in all. It defaults to 3.
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

// withDefaults returns the options with every default filled in.
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

// New makes a device on the bus; it makes no transaction. [Dev.Probe] checks whether the robot answers.
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

// Exchange sends a command and returns the sensors, in one combined transaction, tried at most Opts.Tries times.
// After a failed try the firmware drops the next command, so Exchange then sends the command once more.
//
// The first command of all, and the first after a restart of the MCU, has zero speeds: see [Dev.WheelsListen]. One of
// motion follows it in the same call.
//
// Queued one-shots are sent in extra transactions of the same call, after the command, so that speeds (above all a
// stop) do not wait for them; during an IR calibration the wheels are kept stopped, against the command. The command
// must not contain one-shots itself ([ErrCommand]). The step counters of the result are continuous across all of
// this.
//
// On an error the Sensors are zero and must not be used. The error matches i2c.ErrBus, [ErrChecksum] or
// errImplausible: the last try's.
func (d *Dev) Exchange(c Command) (Sensors, error) {
	if err := c.Validate(); err != nil {
		return Sensors{}, err
	}
	if c.Melody != 0 || c.Settings != 0 {
		return Sensors{}, fmt.Errorf("%w: melody %d and settings %#02x are one-shots: use PlayMelody, CalibrateIR, SetSteps",
			ErrCommand, c.Melody, uint8(c.Settings))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cnt.exchanges.Add(1)
	d.last = c
	s, err := d.exchange(&c)
	if err != nil {
		d.cnt.failed.Add(1)
		d.cnt.failedInRow.Add(1)
		d.steps.outage = true
		return Sensors{}, err
	}
	d.cnt.failedInRow.Store(0)
	d.judge(&s)
	return s, nil
}

// exchange selects the purpose of this exchange.
func (d *Dev) exchange(c *Command) (Sensors, error) {
	if d.calibrating() {
		if d.cal.phase == calStopping {
			return d.stopAndCalibrate(*c)
		}
		s, err := d.awaitCalibration()
		if err != nil || d.cal.phase != calIdle {
			return s, err
		}
	}
	if err := d.greet(c); err != nil {
		return Sensors{}, err
	}
	raw, err := d.send(c)
	if err != nil {
		return Sensors{}, err
	}
	s := d.observe(raw)
	if d.dirty {
		return s, nil // the next packet would be dropped
	}
	return d.fire(s), nil
}
