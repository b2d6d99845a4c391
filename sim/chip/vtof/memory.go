// SPDX-License-Identifier: Apache-2.0

package vtof

// pages is how many register pages there are; register 0xFF, which all pages
// share, chooses one.
const pages = 8

// memory is the register file: pages of 256 bytes and the index the next byte
// goes to, which counts up with each byte.
type memory struct {
	page     [pages][256]byte
	selected byte
	index    byte
}

// Values at power-on that are looked at.
const (
	modelID        = 0xEE
	moduleType     = 0xAA
	revisionID     = 0x10
	resetSequence  = 0xFF
	oscillatorHigh = 0x00 // register 0xF8: counts per millisecond
	oscillatorLow  = 0x44
)

func (m *memory) reset() {
	*m = memory{}
	p := &m.page[0]
	p[0x01] = resetSequence
	p[0x84] = 0x11
	p[0xC0], p[0xC1], p[0xC2] = modelID, moduleType, revisionID
	p[0xF8], p[0xF9] = oscillatorHigh, oscillatorLow
	p[0x44], p[0x45] = 0x00, 0x20
	p[0x8A] = Address
}

// at returns a register of page 0.
func (m *memory) at(reg byte) byte { return m.page[0][reg] }

// word returns a big-endian 16-bit register of page 0.
func (m *memory) word(reg byte) uint16 { return uint16(m.at(reg))<<8 | uint16(m.at(reg+1)) }

// Receive implements vbus.Chip: the first byte sets the index, the others are
// stored in sequence, each with what it causes.
func (c *Chip) Receive(w []byte) int {
	if len(w) == 0 {
		return 0
	}
	c.mem.index = w[0]
	for _, v := range w[1:] {
		c.store(c.mem.index, v)
		c.mem.index++
	}
	return len(w)
}

// Transmit implements vbus.Chip.
func (c *Chip) Transmit(r []byte) {
	c.update()
	for i := range r {
		r[i] = c.load(c.mem.index)
		c.mem.index++
	}
}

// load reads one register of the selected page.
func (c *Chip) load(reg byte) byte {
	switch {
	case c.down:
		return 0
	case reg == 0xFF:
		return c.mem.selected
	case reg == 0xC0 && c.faults.ID != 0:
		return c.faults.ID
	case reg == 0x83 && c.mem.selected == 7:
		return c.nvmReady()
	}
	return c.mem.page[c.mem.selected][reg]
}

// store writes one register of the selected page.
func (c *Chip) store(reg, v byte) {
	if reg == 0xBF && c.mem.selected == 0 {
		wasDown := c.down
		if c.down = v == 0; wasDown && !c.down {
			c.reset()
		}
		return
	}
	if c.down {
		return
	}
	c.update()
	if reg == 0xFF {
		c.mem.selected = v % pages
		return
	}
	if readOnly(c.mem.selected, reg) {
		return
	}
	c.mem.page[c.mem.selected][reg] = v
	switch c.mem.selected {
	case 0:
		c.command(reg, v)
	case 7:
		c.nvmCommand(reg, v)
	}
}

// readOnly reports whether a register keeps its value: identity, oscillator,
// the memory's answer.
func readOnly(page, reg byte) bool {
	switch page {
	case 0:
		return reg >= 0xC0 && reg <= 0xC2 || reg == 0xF8 || reg == 0xF9
	case 7:
		return reg == 0x92
	}
	return false
}
