// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import "time"

// Overheads of the stages of a measurement, microseconds.
const (
	startOverhead = 1910
	endOverhead   = 960
	dssOverhead   = 690
	preOverhead   = 660
	finalOverhead = 550
)

// Values of the timing registers set by the tuning settings.
const (
	tunedPrePeriod   = 14  // VCSEL period in clocks, register 0x50 = 06
	tunedFinalPeriod = 10  // register 0x70 = 04
	tunedMSRC        = 38  // macro periods, register 0x46 = 25
	tunedPre         = 151 // macro periods, registers 0x51 = 00 96
)

// timing is the division of a timing budget among the stages of a measurement: VCSEL periods in clocks, time-outs in
// macro periods (2304 VCSEL periods).
type timing struct {
	prePeriod, finalPeriod uint32
	msrc, pre              uint32
	final                  uint32 // includes pre, as the register does
}

// timingFor divides a budget. The stages before the final one keep the times set by the tuning settings, whatever the
// VCSEL periods are; the final one gets the rest.
func timingFor(p Profile, budget time.Duration) timing {
	t := timing{prePeriod: tunedPrePeriod, finalPeriod: tunedFinalPeriod, msrc: tunedMSRC, pre: tunedPre}
	if p == LongRange {
		msrc, pre := micros(t.msrc, t.prePeriod), micros(t.pre, t.prePeriod)
		t.prePeriod, t.finalPeriod = 18, 14
		t.msrc, t.pre = min(macros(msrc, t.prePeriod), 256), macros(pre, t.prePeriod)
	}
	used := startOverhead + endOverhead +
		2*(micros(t.msrc, t.prePeriod)+dssOverhead) + // the DSS stage measures twice
		micros(t.pre, t.prePeriod) + preOverhead + finalOverhead
	total := uint32(budget / time.Microsecond)
	if used > total {
		used = total
	}
	t.final = macros(total-used, t.finalPeriod) + t.pre
	return t
}

// macroPeriod is the length of a macro period in nanoseconds, for a VCSEL period in clocks of 1.655 ns.
func macroPeriod(period uint32) uint32 { return (2304*1655*period + 500) / 1000 }

// micros returns the length of n macro periods in microseconds.
func micros(n, period uint32) uint32 {
	return uint32((uint64(n)*uint64(macroPeriod(period)) + 500) / 1000)
}

// macros returns the number of macro periods in a time in microseconds.
func macros(us, period uint32) uint32 {
	macro := uint64(macroPeriod(period))
	return uint32((uint64(us)*1000 + macro/2) / macro)
}

// encodeTimeout returns the register's format of a time-out of n macro periods: a mantissa in the low byte, an exponent
// of two in the high one, meaning mantissa·2^exponent + 1. It rounds down.
func encodeTimeout(n uint32) uint16 {
	if n == 0 {
		return 0
	}
	mantissa, exponent := n-1, uint16(0)
	for mantissa > 0xFF {
		mantissa >>= 1
		exponent++
	}
	return exponent<<8 | uint16(mantissa)
}
