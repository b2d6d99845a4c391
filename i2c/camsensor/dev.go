// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/presence"
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Settings are the first ones; see [Dev.Configure].
	Settings Settings
	// Tries is how often each register is tried. It defaults to 5.
	Tries int
	// Wait is the time between two tries. It defaults to 200 ms.
	Wait time.Duration
	// Check is the time between two looks at a sensor that is set up. It defaults to 5 s.
	Check time.Duration
	// Presence says how often to look for an absent sensor, and after how many failed checks it is absent.
	Presence presence.Config
}

// State says how far a sensor has come.
type State uint8

// The states.
const (
	// Searching: no sensor was found.
	Searching State = iota
	// Configuring: the sequence is being written.
	Configuring
	// Ready: the sensor gives the picture, unless Result.Err says that it does not.
	Ready
)

var stateNames = [...]string{"searching", "configuring", "ready"}

// String gives the state in one word.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("state %d", uint8(s))
}

// Result is what was found and done.
type Result struct {
	State State
	Model Model
	Addr  uint16
	ID    uint16 // the number that was read, also of an unknown device
	// Verified: a register read back after the sequence held what was written.
	Verified bool
	// Ignored are settings that were chosen and that the sensor does not have.
	Ignored Option
	// Writes and Retries count register writes of this run and tries repeated in it.
	Writes, Retries int
	// Runs is how often the sequence was written to its end.
	Runs int
	// Err is why there is no picture to be expected: nil, or matches [ErrAbsent], [ErrIdentity], [ErrRegister],
	// [ErrNoSequence].
	Err error
}

// Dev is the camera sensor, whichever it is, on a bus it does not own. It belongs to the goroutine that owns the bus.
type Dev struct {
	bus      pi2c.Bus
	opts     Opts
	settings Settings
	tracker  presence.Tracker
	result   Result
	wait     time.Time // nothing is sent before

	// While searching.
	candidate int
	half      int
	id        uint16
	searchErr error

	// While configuring.
	program []op
	pc      int
	tries   int
	held    byte // the register read by an op that changes bits
	loaded  bool
	again   bool // the sequence was repeated because the sentinel was wrong

	sentinel byte // as read after the sequence
	doubt    bool // it was another in the last check
	pointed  bool // the register to read is chosen
	w        [2]byte
	r        [1]byte
}

var _ conn.Resource = (*Dev)(nil)

// New makes a device; it makes no transaction. The errors match [ErrOpts] and [ErrSettings].
func New(bus pi2c.Bus, opts *Opts) (*Dev, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	switch {
	case bus == nil:
		return nil, fmt.Errorf("%w: bus is nil", ErrOpts)
	case o.Tries < 0 || o.Wait < 0 || o.Check < 0:
		return nil, fmt.Errorf("%w: Tries %d, Wait %v or Check %v is negative", ErrOpts, o.Tries, o.Wait, o.Check)
	}
	if err := o.Settings.Validate(); err != nil {
		return nil, err
	}
	if o.Tries == 0 {
		o.Tries = 5
	}
	if o.Wait == 0 {
		o.Wait = 200 * time.Millisecond
	}
	if o.Check == 0 {
		o.Check = 5 * time.Second
	}
	d := &Dev{bus: bus, opts: o, settings: o.Settings, tracker: presence.New(o.Presence), program: make([]op, 0, 64)}
	d.result.Err = ErrAbsent
	return d, nil
}

// String names the device by its bus and the sensor that was found. It implements conn.Resource.
func (d *Dev) String() string {
	if d.result.Model == None {
		return fmt.Sprintf("camera sensor %s", d.bus)
	}
	return fmt.Sprintf("%s %s(%#02x)", d.result.Model, d.bus, d.result.Addr)
}

// Halt has nothing to do: a sensor that goes on filming harms nobody. It implements conn.Resource.
func (d *Dev) Halt() error { return nil }

// Present reports whether a sensor was found and set up, and has not gone since.
func (d *Dev) Present() bool { return d.tracker.Present() }

// State says how far the sensor has been brought up, in the words of all chips.
func (d *Dev) State() device.State {
	switch {
	case d.result.State == Configuring:
		return device.Starting
	case d.result.State == Ready && d.tracker.Present():
		return device.Running
	}
	return device.Absent
}

// Result says what was found and done.
func (d *Dev) Result() Result { return d.result }

// Settings are those in force or being written.
func (d *Dev) Settings() Settings { return d.settings }

// Stats gives the counters; an answer is a sequence written or a check passed.
func (d *Dev) Stats() presence.Stats { return d.tracker.Stats() }

// Configure chooses other settings; the sensor is set up anew with the coming calls of [Dev.Poll], from the search on.
// It may be called at any time, also to set the sensor up again as it is. The error matches [ErrSettings].
func (d *Dev) Configure(s Settings) error {
	if err := s.Validate(); err != nil {
		return err
	}
	d.settings = s
	d.search(time.Time{})
	return nil
}

// Next is when [Dev.Poll] will do something; a time in the past: whenever it is called.
func (d *Dev) Next() time.Time {
	if next := d.tracker.Next(); next.After(d.wait) {
		return next
	}
	return d.wait
}

// Poll makes at most one transaction: the next step of the search, of the sequence or of a check. The error is nil
// while it waits; [ErrAbsent] while there is no sensor and it is not time to look for one; or why the transaction, or
// the whole search, has failed.
//
// Found: a sensor was set up. Restarted: it had lost its settings, and is set up again. Lost: it does not answer any
// more.
func (d *Dev) Poll(now time.Time) (presence.Event, error) {
	if now.Before(d.wait) {
		return presence.None, nil
	}
	if !d.tracker.Due(now) {
		return presence.None, ErrAbsent
	}
	switch d.result.State {
	case Configuring:
		return d.step(now)
	case Ready:
		return d.check(now)
	default:
		return d.look(now)
	}
}

// search begins with the first candidate again.
func (d *Dev) search(at time.Time) {
	d.result.State = Searching
	d.candidate, d.half, d.id, d.searchErr = 0, 0, 0, nil
	d.pointed, d.again, d.doubt = false, false, false
	d.wait = at
}

// look makes one step of the search: each half of the number takes two transactions.
func (d *Dev) look(now time.Time) (presence.Event, error) {
	c := &candidates[d.candidate]
	v, done, err := d.get(c.addr, c.regs[d.half])
	if err != nil {
		if d.searchErr == nil {
			d.searchErr = err
		}
		return d.miss(now, err)
	}
	if !done {
		return presence.None, nil
	}
	d.id = d.id<<8 | uint16(v)
	if d.half++; d.half < len(c.regs) {
		return presence.None, nil
	}
	model, err := identify(c.addr, d.id)
	if err != nil {
		d.searchErr, d.result.ID = err, d.id // says more than a missing acknowledge
		return d.miss(now, err)
	}
	d.result = Result{State: Configuring, Model: model, Addr: c.addr, ID: d.id, Runs: d.result.Runs}
	d.begin()
	return presence.None, nil
}

// miss goes on to the next candidate, or gives the search up.
func (d *Dev) miss(now time.Time, err error) (presence.Event, error) {
	d.half, d.id, d.pointed = 0, 0, false
	if d.candidate++; d.candidate < len(candidates) {
		return presence.None, err
	}
	err = d.searchErr
	d.search(now)
	e := d.tracker.Missed(now, err)
	if d.tracker.Present() { // not given up yet
		d.wait = now.Add(d.opts.Wait)
		return e, err
	}
	d.forget(fmt.Errorf("%w: %w", ErrAbsent, err))
	return e, err
}

// forget makes the result one of nothing found.
func (d *Dev) forget(err error) {
	d.result = Result{ID: d.result.ID, Runs: d.result.Runs, Err: err}
}
