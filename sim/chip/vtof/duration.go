// SPDX-License-Identifier: Apache-2.0

package vtof

import "time"

// Bits of SEQUENCE_CONFIG, register 0x01.
const (
	withTCC   = 0x10
	withDSS   = 0x08
	withMSRC  = 0x04
	withPre   = 0x40
	withFinal = 0x80
)

// vcselClocks is a VCSEL period in clocks, from its register.
func vcselClocks(reg byte) int64 { return (int64(reg) + 1) * 2 }

// timeout is a time-out register, a byte times a power of two, in macro periods.
func timeout(reg uint16) int64 { return int64(reg&0xFF)<<min(reg>>8, 16) + 1 }

// macro is n macro periods, each 2304 VCSEL periods, in picoseconds of 1655 per
// clock, rounded to microseconds.
func macro(n int64, reg byte) time.Duration {
	return time.Duration(n*vcselClocks(reg)*2304*1655/1e6) * time.Microsecond
}

// duration is the time one measurement takes, from the present registers.
func (c *Chip) duration() time.Duration {
	m, sequence := &c.mem, c.mem.at(0x01)
	const us = time.Microsecond
	pre, final := timeout(m.word(0x51)), timeout(m.word(0x71))
	msrc := macro(int64(m.at(0x46))+1, m.at(0x50))
	d := 1910*us + 960*us
	if sequence&withTCC != 0 {
		d += msrc + 590*us
	}
	switch {
	case sequence&withDSS != 0:
		d += 2 * (msrc + 690*us)
	case sequence&withMSRC != 0:
		d += msrc + 660*us
	}
	if sequence&withPre != 0 {
		d += macro(pre, m.at(0x50)) + 660*us
		final -= pre
	}
	if sequence&withFinal != 0 {
		d += macro(max(final, 0), m.at(0x70)) + 550*us
	}
	return d
}
