// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"fmt"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Opts are the options of a [Dev]. The zero value of each field means its default.
type Opts struct {
	// Settings are the initial ones; see [Dev.Configure].
	Settings Settings
	// Tries is the maximum number of attempts per register. It defaults to 5.
	Tries int
	// Wait is the time between two attempts. It defaults to 200 ms.
	Wait time.Duration
	// Check is the time between two checks of a configured sensor. It defaults to 5 s.
	Check time.Duration
	// RetryInterval is the time between two searches for an absent sensor. It defaults to 1 s.
	RetryInterval time.Duration
	// LostAfter is how many failed checks in a row mean that the sensor is absent. It defaults to 5.
	LostAfter int
}

// result is the state of the sensor and of its configuration.
type result struct {
	State device.State // Starting while the sequence is being written; Running: see Err
	Model Model
	Addr  uint16
	ID    uint16 // the number that was read, also of an unknown device
	// Verified: a register read back after the sequence had the value that was written.
	Verified bool
	// Ignored is the set of chosen settings that the sensor does not support.
	Ignored Option
	// Writes and Retries count the register writes of this run and the repeated attempts in it.
	Writes, Retries int
	// Runs is how often the sequence was written completely.
	Runs int
	// Err is the reason for which no picture is to be expected, or nil: no sensor answers, an unknown device answers at
	// its address, a register could not be written or read in all attempts, or the configuration of this sensor on an
	// e-puck2 is unknown. It names the model, register or address.
	Err error
}

// Dev is the camera sensor, of any model, on a bus it does not own. It belongs to the goroutine that owns the bus.
type Dev struct {
	device.Resource
	chip     *device.Chip
	opts     Opts
	settings Settings
	plan     bringUp
	check    device.Step
	doubt    bool // the last check read another value of the sentinel
	seen     byte // the sentinel as read by this check
}

// New returns a device without a transaction. The error matches device.ErrOption, or names the setting that is out of
// range.
func New(bus pi2c.Bus, opts *Opts) (*Dev, error) {
	var o Opts
	if opts != nil {
		o = *opts
	}
	if o.Tries < 0 || o.Wait < 0 || o.Check < 0 {
		return nil, fmt.Errorf("camsensor: %w: Tries %d, Wait %v or Check %v is negative", device.ErrOption, o.Tries, o.Wait, o.Check)
	}
	if err := o.Settings.validate(); err != nil {
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
	d := &Dev{opts: o, settings: o.Settings}
	d.plan.dev, d.plan.steps = d, make([]device.Step, 0, 128)
	d.plan.result.Err = errAbsent
	d.check = device.Step{Write: make([]byte, 1), Read: 1, Split: true, Check: func(r []byte) error { d.seen = r[0]; return nil }}
	chipOpts := device.Opts{RetryInterval: o.RetryInterval, Tries: o.LostAfter}
	chip, err := device.NewChip(unknown, bus, 0, &d.plan, chipOpts.WithDefaults(5, time.Second))
	if err != nil {
		return nil, fmt.Errorf("camsensor: %w", err)
	}
	chip.OneByOne()
	d.Resource, d.chip = chip.Shown(), chip
	return d, nil
}

// Result returns the state of the sensor and of its configuration.
func (d *Dev) Result() result {
	r := d.plan.result
	r.State = d.State()
	return r
}

// Settings returns the settings in use or being written.
func (d *Dev) Settings() Settings { return d.settings }

// Configure chooses other settings; the following calls of [Dev.Poll] configure the sensor again, starting with the
// search. It may be called at any time, also with the same settings. The error names the setting that is out of range;
// then nothing changes.
func (d *Dev) Configure(s Settings) error {
	if err := s.validate(); err != nil {
		return err
	}
	d.settings = s
	d.chip.Restart()
	return nil
}

// Poll makes at most one transaction: the next step of the search, of the sequence or of a check. The error is that of
// the transaction, or the reason for which the whole search or sequence has failed; nil while it waits.
func (d *Dev) Poll(now time.Time) error {
	known := d.Present()
	running, err := d.chip.Poll(now)
	switch {
	case !running:
		return err
	case !known:
		d.doubt = false
		d.plan.result.Runs++
		d.chip.Rest(now.Add(d.opts.Check))
		return nil
	case !d.chip.Due(now):
		return nil
	}
	return d.inspect(now)
}

// inspect makes one transaction of a check of a configured sensor.
func (d *Dev) inspect(now time.Time) error {
	d.check.Write[0], _, _ = d.plan.result.Model.sentinel()
	done, err := d.chip.Do(now, &d.check)
	switch {
	case err != nil:
		d.chip.Rest(now.Add(d.opts.Wait))
		if !d.Present() {
			d.plan.forget(fmt.Errorf("%w: %w", errAbsent, err))
		}
		return err
	case !done:
		return nil
	case d.seen == d.plan.sentinel:
		d.doubt = false
		d.chip.Accept()
		d.chip.Rest(now.Add(d.opts.Check))
	case !d.doubt: // the byte may have been corrupted on the bus: read it again
		d.doubt = true
	default:
		// Not a failure: the sensor was switched off and on.
		_ = d.chip.Lost(now, fmt.Errorf("camsensor: %w: register %#02x is %#02x, was %#02x",
			device.ErrReset, d.check.Write[0], d.seen, d.plan.sentinel))
	}
	return nil
}
