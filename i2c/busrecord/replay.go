// SPDX-License-Identifier: Apache-2.0

package busrecord

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// errNoReading is the error of a [Replay] where the recording has a failure, or nothing yet.
var errNoReading = errors.New("busrecord: no reading")

// Replay is an i2c.Bus with one chip, which answers every transfer with the current reading. It is safe for concurrent
// use.
type Replay struct {
	addr uint16

	mu   sync.Mutex
	read []byte // nil: transfers fail
}

var _ i2c.Bus = (*Replay)(nil)

// NewReplay returns a bus with a chip at the address that does not answer yet.
func NewReplay(addr uint16) *Replay { return &Replay{addr: addr} }

// String names the bus.
func (r *Replay) String() string { return "recording" }

// SetSpeed does nothing.
func (r *Replay) SetSpeed(physic.Frequency) error { return nil }

// SetReading sets the reading; with nil transfers fail.
func (r *Replay) SetReading(read []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read = read
}

// Tx returns the reading. There is no other chip.
func (r *Replay) Tx(addr uint16, _, into []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if addr != r.addr || r.read == nil {
		return fmt.Errorf("%w: address %#02x", errNoReading, addr)
	}
	copy(into, r.read)
	return nil
}

// Reading is a reading that the driver used, with the failures before it.
type Reading struct {
	// Taken is when the driver used it, Stamp the computer's clock at that time; ns since 1970, see [Event].
	Taken, Stamp int64
	Read         []byte
	// Failures is how many transfers have failed since the previous reading.
	Failures int
}

// Readings returns the readings that were used, from events in order. valid reports whether a reading is possible: a
// transfer may succeed and return nonsense.
func Readings(events []Event, valid func(read []byte) bool) (out []Reading) {
	var done []Event // successful transfers, sorted by their ends
	for _, e := range events {
		if e.Kind == transferred && valid(e.Read) {
			done = append(done, e)
		}
	}
	byEnd := func(a, b Event) int { return cmp.Compare(a.End, b.End) }
	slices.SortStableFunc(done, byEnd)
	failures := 0
	for _, e := range events {
		switch e.Kind {
		case failed:
			failures++
		case Used:
			n, _ := slices.BinarySearchFunc(done, Event{End: e.End + 1}, byEnd)
			if n > 0 { // otherwise its transfer was before the recording
				out = append(out, Reading{e.End, e.Start, done[n-1].Read, failures})
				failures = 0
			}
		}
	}
	return out
}
