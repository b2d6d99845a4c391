// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// unknown is the name of a sensor that was not found.
const unknown = "camera sensor"

// bringUp is the plan: identify the sensor at each address, write the sequence, read the sentinel.
type bringUp struct {
	dev       *Dev
	result    result
	candidate int
	id        uint16
	why       error // why no candidate before was right
	found     bool  // the sequence is being written
	again     bool  // it was repeated because the sentinel was wrong
	failures  uint64
	program   []op
	steps     []device.Step
	held      byte // the register that was read last
	sentinel  byte // as read after the sequence
}

// Begin implements device.Plan.
func (b *bringUp) Begin() []device.Step {
	b.candidate, b.why, b.found, b.again = 0, nil, false, false
	return b.identify()
}

// Next implements device.Plan.
func (b *bringUp) Next(err error) ([]device.Step, error) {
	if b.found {
		b.result.Retries = int(b.failed() - b.failures)
		if err != nil {
			return nil, b.giveUp(err)
		}
		return b.finish(), nil
	}
	if err == nil {
		var model Model
		if model, err = identify(candidates[b.candidate].addr, b.id); err == nil {
			return b.configure(model), nil
		}
		b.result.ID = b.id
		b.why = err // more specific than a missing acknowledge
	}
	if b.why == nil {
		b.why = err
	}
	if b.candidate++; b.candidate < len(candidates) {
		return b.identify(), nil
	}
	b.forget(fmt.Errorf("%w: %w", errAbsent, b.why))
	return nil, b.why
}

// identify returns the steps that read the candidate's ID. SCCB, the sensors' bus, has no repeated start: the
// register's number is written, and after a stop the register is read.
func (b *bringUp) identify() []device.Step {
	c := &candidates[b.candidate]
	b.id = 0
	b.steps = b.steps[:0]
	for _, reg := range c.regs {
		b.steps = append(b.steps, device.Step{Addr: c.addr, Write: []byte{reg}, Read: 1, Split: true, Tries: 1, Check: func(r []byte) error {
			b.id = b.id<<8 | uint16(r[0])
			return nil
		}})
	}
	return b.steps
}

// configure starts the sequence of the model that was found.
func (b *bringUp) configure(m Model) []device.Step {
	addr := candidates[b.candidate].addr
	b.result = result{Model: m, Addr: addr, ID: b.id, Runs: b.result.Runs}
	b.dev.chip.SetAddr(addr)
	b.dev.chip.SetName(m.String())
	if m == po8030 {
		b.result.Ignored = b.dev.settings.chosen() & poIgnored
	}
	b.found, b.failures = true, b.failed()
	return b.sequence()
}

// sequence converts the program to steps.
func (b *bringUp) sequence() []device.Step {
	b.program = program(b.program[:0], b.result.Model, &b.dev.settings)
	b.steps = b.steps[:0]
	var wait time.Duration // of the op before
	for _, o := range b.program {
		if o.look || o.mask != 0 {
			b.add(device.Step{Wait: wait, Write: []byte{o.reg}, Read: 1, Split: true, Check: func(r []byte) error {
				b.held = r[0]
				return nil
			}})
			wait = 0
		}
		if !o.look {
			st := device.Step{Wait: wait, Write: []byte{o.reg, o.value}, Check: func([]byte) error {
				b.result.Writes++
				return nil
			}}
			if o.mask != 0 {
				st.Prepare = func(w []byte) { w[1] = b.held&^o.mask | o.value }
			}
			b.add(st)
		}
		wait = o.wait
	}
	return b.steps
}

// add appends a step with the retries of the options.
func (b *bringUp) add(st device.Step) {
	st.Tries, st.Pause = b.dev.opts.Tries, b.dev.opts.Wait
	b.steps = append(b.steps, st)
}

// finish checks the byte read by the last step. No steps mean that the sensor is configured.
func (b *bringUp) finish() []device.Step {
	_, want, known := b.result.Model.sentinel()
	b.sentinel = b.held
	b.result.Verified = known && b.held == want
	switch {
	case !known:
		b.result.Err = fmt.Errorf("%w: %s, of the e-puck1", errNoSequence, b.result.Model)
	case !b.result.Verified && !b.again: // it may have been switched off and on meanwhile
		b.again = true
		return b.sequence()
	}
	return nil
}

// giveUp returns the error for a register that could not be written or read.
func (b *bringUp) giveUp(err error) error {
	err = fmt.Errorf("%w: %s register %#02x after %d tries: %w", errRegister, b.result.Model,
		b.steps[b.dev.chip.Step()].Write[0], b.dev.opts.Tries, err)
	b.forget(err)
	return err
}

// forget resets the result to no sensor.
func (b *bringUp) forget(err error) {
	b.result = result{ID: b.result.ID, Runs: b.result.Runs, Err: err}
	b.dev.chip.SetAddr(0)
	b.dev.chip.SetName(unknown)
}

// failed counts the transactions that failed so far.
func (b *bringUp) failed() uint64 {
	s := b.dev.chip.Stats()
	return s.BusErrorTotal()
}
