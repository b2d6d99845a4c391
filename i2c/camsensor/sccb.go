// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"github.com/epuck-ros2/epuck-driver/i2c"
)

// put writes a register.
func (d *Dev) put(addr uint16, reg, value byte) error {
	d.w = [2]byte{reg, value}
	return i2c.Tx(d.bus, addr, d.w[:], nil)
}

// get makes one of the two transactions that read a register: its number is written, then, after a stop, it is read.
func (d *Dev) get(addr uint16, reg byte) (value byte, done bool, err error) {
	if !d.pointed {
		d.w[0] = reg
		err = i2c.Tx(d.bus, addr, d.w[:1], nil)
		d.pointed = err == nil
		return 0, false, err
	}
	d.pointed = false
	if err = i2c.Tx(d.bus, addr, nil, d.r[:]); err != nil {
		return 0, false, err
	}
	return d.r[0], true, nil
}
