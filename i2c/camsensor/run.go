// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/presence"
)

// begin goes to the beginning of the sequence.
func (d *Dev) begin() {
	d.program = program(d.program[:0], d.result.Model, &d.settings)
	d.pc, d.tries, d.pointed, d.loaded = 0, 0, false, false
	if d.result.Model == PO8030 {
		d.result.Ignored = d.settings.chosen() & poIgnored
	}
}

// step makes one transaction of the sequence.
func (d *Dev) step(now time.Time) (presence.Event, error) {
	o := &d.program[d.pc]
	done, err := d.execute(o)
	if err != nil {
		return d.retry(now, o, err)
	}
	if !done {
		return presence.None, nil
	}
	d.tries, d.loaded = 0, false
	if o.wait > 0 {
		d.wait = now.Add(o.wait)
	}
	if d.pc++; d.pc < len(d.program) {
		return presence.None, nil
	}
	return d.finish(now), nil
}

// execute makes one transaction of an op and reports whether that was its last.
func (d *Dev) execute(o *op) (bool, error) {
	if (o.look || o.mask != 0) && !d.loaded {
		v, done, err := d.get(d.result.Addr, o.reg)
		if done {
			d.held, d.loaded = v, true
		}
		return done && o.look, err
	}
	v := o.value
	if o.mask != 0 {
		v = d.held&^o.mask | o.value
	}
	err := d.put(d.result.Addr, o.reg, v)
	if err == nil {
		d.result.Writes++
	}
	return err == nil, err
}

// retry waits for the next try of an op, or gives the sensor up.
func (d *Dev) retry(now time.Time, o *op, err error) (presence.Event, error) {
	d.pointed, d.loaded = false, false
	if d.tries++; d.tries < d.opts.Tries {
		d.result.Retries++
		d.wait = now.Add(d.opts.Wait)
		return presence.None, err
	}
	err = fmt.Errorf("%w: %s register %#02x after %d tries: %w", ErrRegister, d.result.Model, o.reg, d.tries, err)
	return d.lose(now, err), err
}

// lose gives the sensor up at once.
func (d *Dev) lose(now time.Time, err error) presence.Event {
	d.search(now)
	e := d.tracker.Lose(now, err)
	d.forget(err)
	return e
}

// finish looks at what the last op has read.
func (d *Dev) finish(now time.Time) presence.Event {
	_, want, known := d.result.Model.sentinel()
	d.sentinel = d.held
	d.result.Verified = known && d.held == want
	d.wait = now.Add(d.opts.Check)
	switch {
	case !known:
		d.result.Err = fmt.Errorf("%w: %s, of the e-puck1", ErrNoSequence, d.result.Model)
	case !d.result.Verified && !d.again: // it may have been switched off and on in the middle
		d.again = true
		d.wait = now
		d.begin()
		return presence.None
	}
	d.result.State = Ready
	d.result.Runs++
	return d.tracker.Seen()
}

// check makes one transaction of a look at a sensor that was set up.
func (d *Dev) check(now time.Time) (presence.Event, error) {
	reg, _, _ := d.result.Model.sentinel()
	v, done, err := d.get(d.result.Addr, reg)
	if err != nil {
		d.pointed = false
		d.wait = now.Add(d.opts.Wait)
		e := d.tracker.Missed(now, err)
		if e == presence.Lost {
			d.search(now)
			d.forget(fmt.Errorf("%w: %w", ErrAbsent, err))
		}
		return e, err
	}
	if !done {
		return presence.None, nil
	}
	if v != d.sentinel {
		if !d.doubt { // the byte may have been spoilt on its way: look again
			d.doubt = true
			return presence.None, nil
		}
		d.search(now)
		return presence.Restarted, nil
	}
	d.doubt = false
	d.wait = now.Add(d.opts.Check)
	return d.tracker.Seen(), nil
}
