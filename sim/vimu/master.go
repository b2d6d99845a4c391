// SPDX-License-Identifier: Apache-2.0

package vimu

import "time"

// Registers of the I2C master of the ICM-20948, bank 3.
const (
	slv0Addr = 0x03
	slv0Reg  = 0x04
	slv0Ctrl = 0x05
	slv4Addr = 0x13
	slv4Reg  = 0x14
	slv4Ctrl = 0x15
	slv4Out  = 0x16
	slv4In   = 0x17

	slv4Done = 0x40 // of icmMstStatus
	slv4NAK  = 0x10
	slv0NAK  = 0x01
)

// slv4Time is how long a single transaction of the master takes.
const slv4Time = 2 * time.Millisecond

func (c *Chip) masterOn() bool {
	return c.cfg.Model == ICM20948 && c.banks[0][icmUser]&bitMaster != 0
}

// runMaster ends a single transaction that is due. Without a clock setting the
// master does nothing.
func (c *Chip) runMaster(now time.Duration) {
	if c.slv4At == 0 || now < c.slv4At || !c.masterOn() || c.banks[3][0x01]&0x0F == 0 {
		return
	}
	c.slv4At = 0
	b := &c.banks[3]
	b[slv4Ctrl] &^= 0x80
	c.banks[0][icmMstStatus] |= slv4Done
	addr := b[slv4Addr]
	if addr&0x7F != AddressField || !c.mag.reachable() {
		c.banks[0][icmMstStatus] |= slv4NAK
		return
	}
	if addr&0x80 != 0 {
		b[slv4In] = c.mag.load(b[slv4Reg])
	} else {
		c.mag.store(b[slv4Reg], b[slv4Out])
	}
}

// fetchField lets the master read what slave 0 says, as it does at every
// sample.
func (c *Chip) fetchField() {
	b := &c.banks[3]
	if !c.masterOn() || b[slv0Ctrl]&0x80 == 0 || b[slv0Addr]&0x80 == 0 {
		return
	}
	if b[slv0Addr]&0x7F != AddressField || !c.mag.reachable() {
		c.banks[0][icmMstStatus] |= slv0NAK
		return
	}
	for i := range b[slv0Ctrl] & 0x0F {
		c.banks[0][icmExt+i] = c.mag.load(b[slv0Reg] + i)
	}
}
