// SPDX-License-Identifier: Apache-2.0

package vimu

import "time"

// Registers that do something. Those of the ICM-20948 carry their bank.
const (
	mpuDivider   = 0x19
	mpuConfig    = 0x1A
	mpuGyro      = 0x1B
	mpuAccel     = 0x1C
	mpuAccel2    = 0x1D
	mpuPins      = 0x37
	mpuMstStatus = 0x36
	mpuStatus    = 0x3A
	mpuData      = 0x3B
	mpuExt       = 0x49
	mpuUser      = 0x6A
	mpuPower     = 0x6B
	mpuIdentity  = 0x75

	icmIdentity  = 0x00
	icmUser      = 0x03
	icmLowPower  = 0x05
	icmPower     = 0x06
	icmPins      = 0x0F
	icmMstStatus = 0x17
	icmStatus    = 0x1A
	icmData      = 0x2D
	icmExt       = 0x3B
	icmBankSel   = 0x7F

	bitReset  = 0x80
	bitSleep  = 0x40
	bitBypass = 0x02
	bitMaster = 0x20
)

// resetTime is how long a reset takes.
const resetTime = 5 * time.Millisecond

// resetRegisters puts all registers into their state at power-on.
func (c *Chip) resetRegisters() {
	c.banks = [4][128]byte{}
	c.slv4At = 0
	b := &c.banks[0]
	switch c.cfg.Model {
	case ICM20948:
		b[icmIdentity], b[icmLowPower], b[icmPower] = 0xEA, 0x40, bitSleep|1
		c.banks[2][0x01], c.banks[2][0x14] = 1, 1
	case MPU6500:
		b[mpuIdentity], b[mpuPower] = 0x70, bitSleep
	case MPU9255:
		b[mpuIdentity], b[mpuPower] = 0x73, 1
	default:
		b[mpuIdentity], b[mpuPower] = 0x71, 1
	}
	c.restartSampling()
}

// bank returns the number of the selected bank, 0 for an MPU.
func (c *Chip) bank() int {
	if c.cfg.Model != ICM20948 {
		return 0
	}
	return int(c.banks[0][icmBankSel] >> 4 & 3)
}

func (c *Chip) powerRegister() byte {
	if c.cfg.Model == ICM20948 {
		return icmPower
	}
	return mpuPower
}

// Receive implements vbus.Chip: the first byte sets the index, the others are
// stored in sequence.
func (c *Chip) Receive(w []byte) int {
	if len(w) == 0 {
		return 0
	}
	c.update()
	c.index = w[0] & 0x7F
	for _, v := range w[1:] {
		c.store(c.index, v)
		c.index = (c.index + 1) & 0x7F
	}
	return len(w)
}

// Transmit implements vbus.Chip.
func (c *Chip) Transmit(r []byte) {
	c.update()
	for i := range r {
		r[i] = c.load(c.index)
		c.index = (c.index + 1) & 0x7F
	}
}

// load reads a register of the selected bank.
func (c *Chip) load(reg byte) byte {
	bank := c.bank()
	if reg == icmBankSel && c.cfg.Model == ICM20948 {
		return c.banks[0][icmBankSel]
	}
	v := c.banks[bank][reg]
	switch {
	case bank != 0:
	case reg == c.identityRegister() && c.faults.ID != 0:
		return c.faults.ID
	case c.cfg.Model != ICM20948 && (reg == mpuStatus || reg == mpuMstStatus),
		c.cfg.Model == ICM20948 && (reg == icmStatus || reg == icmMstStatus):
		c.banks[0][reg] = 0 // read to clear
	}
	return v
}

func (c *Chip) identityRegister() byte {
	if c.cfg.Model == ICM20948 {
		return icmIdentity
	}
	return mpuIdentity
}

// store writes a register of the selected bank.
func (c *Chip) store(reg, v byte) {
	bank := c.bank()
	switch {
	case c.resetUntil != 0: // answers nothing
		return
	case reg == icmBankSel && c.cfg.Model == ICM20948:
		c.banks[0][icmBankSel] = v & 0x30
		return
	case bank == 0 && c.readOnly(reg):
		return
	}
	old := c.banks[bank][reg]
	c.banks[bank][reg] = v
	switch {
	case bank == 0 && reg == c.powerRegister():
		c.power(old, v)
	case c.timingRegister(bank, reg) && old != v:
		c.restartSampling()
	case bank == c.master().bank && reg == c.master().slv4En && v&0x80 != 0:
		c.slv4At = c.cfg.Now() + max(slv4Time, c.setting().period)
	}
}

// readOnly reports whether a register of bank 0 keeps its value.
func (c *Chip) readOnly(reg byte) bool {
	if c.cfg.Model == ICM20948 {
		return reg == icmIdentity || reg == icmMstStatus || reg >= icmStatus && reg < icmExt+24
	}
	return reg == mpuIdentity || reg == mpuMstStatus-1 || reg == mpuMstStatus || reg >= mpuStatus && reg < 0x60
}

// power acts on PWR_MGMT_1.
func (c *Chip) power(old, v byte) {
	switch {
	case v&bitReset != 0:
		c.resetUntil = c.cfg.Now() + resetTime
	case old&bitSleep != 0 && v&bitSleep == 0:
		c.awakeSince = c.cfg.Now()
		c.restartSampling()
	}
}

func (c *Chip) asleep() bool { return c.banks[0][c.powerRegister()]&bitSleep != 0 }

// bypass reports whether the auxiliary bus is joined to the main one.
func (c *Chip) bypass() bool {
	user, pins := c.banks[0][mpuUser], c.banks[0][mpuPins]
	if c.cfg.Model == ICM20948 {
		user, pins = c.banks[0][icmUser], c.banks[0][icmPins]
	}
	return pins&bitBypass != 0 && user&bitMaster == 0
}
