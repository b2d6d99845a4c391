// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"sync/atomic"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Retry is a bus that repeats failed transactions of another at once, as the clock-stretching fault of the Raspberry
// Pi's adapter makes necessary (about one transaction in a thousand). Use it for chips whose transactions may be made
// twice: registers read, registers set. A bus that is gone is not asked again.
type Retry struct {
	bus     pi2c.Bus
	tries   int
	retries atomic.Uint64
}

var _ pi2c.Bus = (*Retry)(nil)

// NewRetry makes a bus that makes each transaction at most tries times; below 1 means 3.
func NewRetry(bus pi2c.Bus, tries int) *Retry {
	if tries < 1 {
		tries = 3
	}
	return &Retry{bus: bus, tries: tries}
}

// String names the bus behind it.
func (b *Retry) String() string { return b.bus.String() }

// SetSpeed is handed on.
func (b *Retry) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }

// Retries is the number of transactions made because one had failed.
func (b *Retry) Retries() uint64 { return b.retries.Load() }

// Tx is made until it succeeds; the error is that of the last try.
func (b *Retry) Tx(addr uint16, w, r []byte) error {
	for try := 1; ; try++ {
		err := b.bus.Tx(addr, w, r)
		if err == nil || try == b.tries || !KindOf(err).Temporary() {
			return err
		}
		b.retries.Add(1)
	}
}
