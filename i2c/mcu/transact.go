// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

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
// On an error the Sensors are zero and must not be used. The error is that of the last try: it matches i2c.ErrBus, or
// is one of [Decode]. An invalid command matches [ErrCommand] and is not sent.
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
	d.evaluate(&s)
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
	if err := d.sendZeroFirst(c); err != nil {
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
	return d.sendOneShot(s), nil
}

// once makes one transaction and decodes the reply. The step counters in it are the MCU's own.
func (d *Dev) once(c *Command) (Sensors, error) {
	c.Put(&d.w)
	d.cnt.transactions.Add(1)
	err := i2c.Tx(d.bus, d.opts.Addr, d.w[:], d.r[:])
	var s Sensors
	if err == nil {
		s, err = Decode(d.r[:])
	}
	if err != nil {
		d.dirty = true
		d.cnt.fail(err)
	}
	d.seen.result(err)
	return s, err
}

// send delivers a command: it retries until a transaction succeeds, and repeats the command if it was the one that
// the firmware drops after an error. The sensors of the last good reply are returned.
func (d *Dev) send(c *Command) (Sensors, error) {
	var err error
	for try := range d.opts.Tries {
		if try > 0 {
			d.cnt.retries.Add(1)
		}
		var s Sensors
		if s, err = d.once(c); err == nil {
			s = d.repeatIfDropped(c, s)
			if !d.dirty {
				d.wheels.commanded(d.opts.Now())
			}
			return s, nil
		}
		if !worthRetry(err) {
			break
		}
	}
	return Sensors{}, err
}

// repeatIfDropped sends c once more when the packet just sent was the first after an error. It was answered, so s is a
// measurement even if the repetition fails; then the device stays dirty and the next exchange repeats the command.
func (d *Dev) repeatIfDropped(c *Command, s Sensors) Sensors {
	if !d.dirty {
		return s
	}
	d.dirty = false
	d.cnt.repeats.Add(1)
	if again, err := d.once(c); err == nil {
		return again
	}
	return s
}

// worthRetry reports whether the same transaction may succeed at once: after any error except a vanished bus.
func worthRetry(err error) bool {
	return !errors.Is(err, i2c.ErrBus) || i2c.KindOf(err).Temporary()
}
