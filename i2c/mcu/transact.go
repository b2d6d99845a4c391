// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

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
// measurement even if the repetition fails; then the device stays dirty and the next exchange makes up for it.
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

// worthRetry reports whether the same transaction may succeed at once: anything but a bus that is gone.
func worthRetry(err error) bool {
	return !errors.Is(err, i2c.ErrBus) || i2c.KindOf(err).Temporary()
}
