// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

// put writes a register.
func (d *Dev) put(addr uint16, reg, value byte) error {
	d.w = [2]byte{reg, value}
	return d.tx(addr, d.w[:], nil)
}

// get makes one of the two transactions that read a register: its number is written, then, after a stop, it is read.
func (d *Dev) get(addr uint16, reg byte) (value byte, done bool, err error) {
	if !d.pointed {
		d.w[0] = reg
		err = d.tx(addr, d.w[:1], nil)
		d.pointed = err == nil
		return 0, false, err
	}
	d.pointed = false
	d.r[0] = 0
	if err = d.tx(addr, nil, d.r[:]); err != nil {
		return 0, false, err
	}
	return d.r[0], true, nil
}

// tx makes every error of a bus match i2c.ErrBus.
func (d *Dev) tx(addr uint16, w, r []byte) error {
	err := d.bus.Tx(addr, w, r)
	if err == nil || errors.Is(err, i2c.ErrBus) {
		return err
	}
	return &i2c.BusError{Bus: d.bus.String(), Addr: addr, Write: len(w), Read: len(r), Err: err}
}
