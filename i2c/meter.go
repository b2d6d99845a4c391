// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"sync"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Stats are the counters of a [Meter] since it was made.
type Stats struct {
	Transactions uint64           // all
	Errors       [NumKinds]uint64 // failed ones by reason; index KindNone stays 0
	Written      uint64           // bytes of successful transactions
	Read         uint64           // the same
	Busy         time.Duration    // time in transactions
	Longest      time.Duration    // of one
	Last         time.Duration    // of the last
	LastErr      error            // the last failure, nil if none
}

// Failed is the number of failed transactions.
func (s *Stats) Failed() uint64 {
	var n uint64
	for _, k := range s.Errors {
		n += k
	}
	return n
}

// Meter is a bus that counts and times the transactions on another. [Stats] is safe for concurrent use and does not
// wait for the bus.
type Meter struct {
	bus pi2c.Bus
	now func() time.Time

	mu sync.Mutex
	s  Stats
}

var _ pi2c.Bus = (*Meter)(nil)

// NewMeter returns a meter. The clock defaults to time.Now.
func NewMeter(bus pi2c.Bus, now func() time.Time) *Meter {
	if now == nil {
		now = time.Now
	}
	return &Meter{bus: bus, now: now}
}

// String returns the name of the measured bus.
func (m *Meter) String() string { return m.bus.String() }

// SetSpeed is passed to the bus.
func (m *Meter) SetSpeed(f physic.Frequency) error { return m.bus.SetSpeed(f) }

// Tx is passed to the bus and counted.
func (m *Meter) Tx(addr uint16, w, r []byte) error {
	start := m.now()
	err := m.bus.Tx(addr, w, r)
	took := max(m.now().Sub(start), 0)

	m.mu.Lock()
	defer m.mu.Unlock()
	m.s.Transactions++
	m.s.Busy += took
	m.s.Last = took
	m.s.Longest = max(m.s.Longest, took)
	if err != nil {
		m.s.Errors[KindOf(err)]++
		m.s.LastErr = err
		return err
	}
	m.s.Written += uint64(len(w))
	m.s.Read += uint64(len(r))
	return nil
}

// Stats returns a snapshot.
func (m *Meter) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.s
}
