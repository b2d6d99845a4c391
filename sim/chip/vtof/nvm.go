// SPDX-License-Identifier: Apache-2.0

package vtof

import (
	"math/bits"
	"time"
)

// nvmDelay is how long the chip's memory takes to answer. The true figure is
// not known.
const nvmDelay = 100 * time.Microsecond

// spadWord is the word of the memory that describes the reference SPADs.
const spadWord = 0x6B

// nvmCommand follows the procedure of page 7: 0x83 = 0 starts the reading of
// the word chosen in 0x94, if page 6 has opened the memory.
func (c *Chip) nvmCommand(reg, v byte) {
	if reg != 0x83 {
		return
	}
	open := c.mem.page[6][0x83]&0x04 != 0 && c.mem.page[7][0x81] == 1 && c.mem.page[1][0x00] == 0
	switch {
	case v == 0 && open:
		c.cal.nvmAt = c.cfg.Now() + nvmDelay
	case v == 1 && c.cal.nvmAt != 0 && c.cfg.Now() >= c.cal.nvmAt && c.mem.page[7][0x94] == spadWord:
		answer := byte(c.spadCount)
		if c.spadAperture {
			answer |= 0x80
		}
		c.mem.page[7][0x92] = answer
	}
}

// nvmReady is what register 0x83 of page 7 reads.
func (c *Chip) nvmReady() byte {
	if c.cal.nvmAt != 0 && c.cfg.Now() >= c.cal.nvmAt {
		return 0x10
	}
	return 0
}

// spadsRight reports whether exactly the SPADs the memory asks for are on, all
// good and of the right kind, and the registers around them set.
func (c *Chip) spadsRight() bool {
	p0, p1 := &c.mem.page[0], &c.mem.page[1]
	if p1[0x4F] != 0 || p1[0x4E] != 0x2C || p0[0xB6] != 0xB4 {
		return false
	}
	n := 0
	for i := range 6 {
		on := p0[0xB0+i]
		n += bits.OnesCount8(on)
		if on&^c.goodSPADs[i] != 0 {
			return false
		}
		open := on // those without an aperture: bits 0 to 11
		switch {
		case i == 1:
			open = on & 0x0F
		case i > 1:
			open = 0
		}
		if c.spadAperture && open != 0 || !c.spadAperture && open != on {
			return false
		}
	}
	return n == c.spadCount
}
