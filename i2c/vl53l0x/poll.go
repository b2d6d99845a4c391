// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// Poll advances the bring-up or the measurements of the chip at the time now, in at most Opts.Budget transactions: a
// step of the bring-up, or a check for a measurement and, if one is ready, two transactions to read it. It reports
// whether there is a new measurement, see [Dev.Sense].
//
// The error concerns this call only, for the diagnostics; continue to call Poll. It has the status that the chip
// reports if its laser or calibration has failed or the result has no measurement, or matches i2c.ErrBus or an error of
// package device: device.ErrIdentity for another chip at the address, device.ErrReset or device.ErrFrozen when the chip
// has to be brought up again.
func (d *Dev) Poll(now time.Time) (fresh bool, err error) {
	wasUp := d.State() == device.Running
	running, err := d.chip.Poll(now)
	if !running {
		d.have = d.have && wasUp
		return false, err
	}
	if !wasUp {
		d.ready(now)
		d.have, d.unclear = false, false
		return false, nil
	}
	fresh, err = d.measure(now)
	if d.State() != device.Running {
		d.have = false
	}
	return fresh, err
}

// ready records that a measurement was ready, and schedules the next check.
func (d *Dev) ready(now time.Time) {
	d.overdue = time.Time{}
	d.chip.Rest(now.Add(d.every / 2))
}

// measure reads a measurement if one is ready.
func (d *Dev) measure(now time.Time) (bool, error) {
	cleared := d.unclear
	if cleared {
		if err := d.clear(now); err != nil {
			return false, err
		}
	}
	if !d.chip.Due(now) {
		return false, nil
	}
	status := d.r[:1]
	if err := d.read(now, regInterruptStatus, status); err != nil {
		return false, err
	}
	switch {
	case status[0]&readyMask != 0:
	case cleared: // in this Poll: the chip began its next measurement after now
		return false, nil
	default:
		return false, d.late(now)
	}
	if err := d.read(now, regResult, d.r[:]); err != nil {
		return false, err
	}
	d.ready(now)
	d.unclear = true
	reading, err := Decode(d.r[:])
	// A failed acknowledge is repeated by the next Poll and does not invalidate the measurement.
	clearErr := d.clear(now)
	if err != nil {
		d.chip.Reject(err)
		return false, err
	}
	d.reading, d.have = reading, true
	d.chip.Accept()
	return true, clearErr
}

// late determines why there is no measurement: a chip that was reset has lost its sequence, a stuck one has not.
//
// The time is measured from the first Poll without a measurement. On a busy machine the transactions of a Poll may be
// made long after its time, so the time of the last measurement does not show when the chip began the next one: a
// working chip has one ready within a period after that first Poll (TestBusyMachineIsNoFrozenChip).
func (d *Dev) late(now time.Time) error {
	if d.overdue.IsZero() || now.Before(d.overdue) { // the clock was set back
		d.overdue = now
	}
	late := now.Sub(d.overdue)
	if late < d.every+20*time.Millisecond {
		return nil
	}
	sequence := d.r[:1]
	if err := d.read(now, regSequence, sequence); err != nil {
		return err
	}
	if sequence[0] != sequenceRanging {
		return d.chip.Lost(now, fmt.Errorf("vl53l0x: %w: register 0x01 is %#02x, was set to %#02x",
			device.ErrReset, sequence[0], byte(sequenceRanging)))
	}
	if late > 3*d.every+200*time.Millisecond {
		return d.chip.Lost(now, fmt.Errorf("vl53l0x: %w: no measurement for %v", device.ErrFrozen, late))
	}
	return nil
}

// clear acknowledges a measurement.
func (d *Dev) clear(now time.Time) error {
	d.w = [2]byte{regInterruptClear, 0x01}
	err := d.chip.Tx(now, 0, d.w[:], nil)
	d.unclear = err != nil
	return err
}

func (d *Dev) read(now time.Time, reg byte, r []byte) error {
	d.w[0] = reg
	return d.chip.Tx(now, 0, d.w[:1], r)
}
