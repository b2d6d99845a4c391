// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

// Stats is a snapshot of the counters of a [Dev] since it was made.
type Stats struct {
	Exchanges    uint64               // calls of Exchange
	Failed       uint64               // calls of Exchange that returned an error after all tries
	FailedInRow  uint64               // the same since the last success
	Transactions uint64               // bus transactions, one-shots included
	Retries      uint64               // transactions that were made because one had failed
	Repeats      uint64               // commands sent again because the firmware drops the one after an error
	BusErrors    [i2c.NumKinds]uint64 // transactions that failed on the bus, by reason
	Checksum     uint64               // replies with a bad checksum
	Implausible  uint64               // replies with a right checksum that are not the firmware's, all zero included
	AllZero      uint64               // of these, replies of 47 zeros
	Register     uint64               // of these, replies of the York register firmware
	Refused      uint64               // impossible values of valid replies, which were refused
	Clipped      uint64               // microphone values above 32767, the limit of a 16-bit message
	OneShots     uint64               // one-shot packets sent, repeats included
	OneShotsLost uint64               // one-shot packets the MCU was shown not to have accepted
	Restarts     uint64               // detected restarts of the MCU
	LastErr      error                // the last failed transaction, nil if none
}

// BusErrorTotal is the number of transactions that failed on the bus for any reason.
func (s *Stats) BusErrorTotal() uint64 {
	var n uint64
	for _, k := range s.BusErrors {
		n += k
	}
	return n
}

// Errors is the number of transactions that failed in any way: on the bus, by checksum, or with an implausible reply.
func (s *Stats) Errors() uint64 { return s.BusErrorTotal() + s.Checksum + s.Implausible }

// counters are the live counters: written by the goroutine in Exchange, read by any.
type counters struct {
	exchanges, failed, failedInRow, transactions, retries, repeats atomic.Uint64
	checksum, implausible, allZero, register                       atomic.Uint64
	refused, clipped, oneShots, oneShotsLost, restarts             atomic.Uint64
	bus                                                            [i2c.NumKinds]atomic.Uint64
	lastErr                                                        atomic.Pointer[error]
}

// fail counts one failed transaction.
func (c *counters) fail(err error) {
	c.lastErr.Store(&err)
	switch {
	case errors.Is(err, ErrChecksum):
		c.checksum.Add(1)
	case errors.Is(err, errImplausible):
		c.implausible.Add(1)
		if errors.Is(err, ErrAllZero) {
			c.allZero.Add(1)
		}
		if errors.Is(err, errRegisterFirmware) {
			c.register.Add(1)
		}
	default:
		c.bus[i2c.KindOf(err)].Add(1)
	}
}

// snapshot reads all counters; each is exact, together they may be one transaction apart.
func (c *counters) snapshot() Stats {
	s := Stats{
		Exchanges: c.exchanges.Load(), Failed: c.failed.Load(), FailedInRow: c.failedInRow.Load(),
		Transactions: c.transactions.Load(), Retries: c.retries.Load(), Repeats: c.repeats.Load(),
		Checksum: c.checksum.Load(), Implausible: c.implausible.Load(),
		AllZero: c.allZero.Load(), Register: c.register.Load(),
		Refused: c.refused.Load(), Clipped: c.clipped.Load(),
		OneShots: c.oneShots.Load(), OneShotsLost: c.oneShotsLost.Load(), Restarts: c.restarts.Load(),
	}
	for i := range s.BusErrors {
		s.BusErrors[i] = c.bus[i].Load()
	}
	if p := c.lastErr.Load(); p != nil {
		s.LastErr = *p
	}
	return s
}
