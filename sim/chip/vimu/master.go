// SPDX-License-Identifier: Apache-2.0

package vimu

import "time"

// master has the addresses of a chip's I2C master registers. Those of the
// ICM-20948 are in bank 3, but for status and data.
type master struct {
	bank                      int
	ctrl                      byte // clock
	slv0Addr, slv0Reg, slv0En byte
	slv4Addr, slv4Reg, slv4En byte
	slv4Out, slv4In           byte
	status, data              byte // bank 0
}

func (c *Chip) master() master {
	if c.cfg.Model == ICM20948 {
		return master{3, 0x01, 0x03, 0x04, 0x05, 0x13, 0x14, 0x15, 0x16, 0x17, icmMstStatus, icmExt}
	}
	return master{0, 0x24, 0x25, 0x26, 0x27, 0x31, 0x32, 0x34, 0x33, 0x35, mpuMstStatus, mpuExt}
}

// Bits of the master's status.
const (
	slv4Done = 0x40
	slv4NAK  = 0x10
	slv0NAK  = 0x01
)

// slv4Time is how long a single transaction of the master takes at least; it is
// made once per sample.
const slv4Time = 2 * time.Millisecond

func (c *Chip) masterOn() bool {
	if c.cfg.Model == ICM20948 {
		return c.banks[0][icmUser]&bitMaster != 0
	}
	return c.banks[0][mpuUser]&bitMaster != 0
}

// answers reports whether a chip at an address of the auxiliary bus does.
func (c *Chip) answers(addr byte) bool {
	return addr&0x7F == AddressField && c.mag != nil && c.mag.reachable()
}

// runMaster ends a single transaction that is due. Without a clock setting the
// master does nothing.
func (c *Chip) runMaster(now time.Duration) {
	m := c.master()
	b := &c.banks[m.bank]
	if c.slv4At == 0 || now < c.slv4At || !c.masterOn() || b[m.ctrl]&0x0F == 0 {
		return
	}
	c.slv4At = 0
	b[m.slv4En] &^= 0x80
	c.banks[0][m.status] |= slv4Done
	switch addr := b[m.slv4Addr]; {
	case !c.answers(addr):
		c.banks[0][m.status] |= slv4NAK
	case addr&0x80 != 0:
		b[m.slv4In] = c.mag.load(b[m.slv4Reg])
	default:
		c.mag.store(b[m.slv4Reg], b[m.slv4Out])
	}
}

// fetchField reads slave 0 by the master, as it does at every
// sample.
func (c *Chip) fetchField() {
	m := c.master()
	b := &c.banks[m.bank]
	if !c.masterOn() || b[m.slv0En]&0x80 == 0 || b[m.slv0Addr]&0x80 == 0 {
		return
	}
	if !c.answers(b[m.slv0Addr]) {
		c.banks[0][m.status] |= slv0NAK
		return
	}
	for i := range b[m.slv0En] & 0x0F {
		c.banks[0][m.data+i] = c.mag.load(b[m.slv0Reg] + i)
	}
}
