// SPDX-License-Identifier: Apache-2.0

package busrecord

import (
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Maximum stored bytes of a transfer; longer ones are cut.
const (
	maxWrite = 32
	maxRead  = 64
)

// Kind is the kind of an event.
type Kind uint8

// Kinds of events.
const (
	// transferred: a successful transfer; failed: a failed one.
	transferred Kind = 1 + iota
	failed
	// Used: the driver used the reading of the last transfer before End.
	Used
)

// Event is a transfer, or the use of one.
type Event struct {
	Kind Kind
	// Start and End of a transfer are in ns since 1970 by the monotonic clock: the computer's clock at the creation of
	// the tap plus the time since then. For [Used], End is the same and Start is the computer's clock: a time.Time
	// reads the two clocks in sequence, so they differ by some ns.
	Start, End  int64
	Wrote, Read []byte
}

// slot is an event in the ring buffer.
type slot struct {
	turn          atomic.Uint64 // the round of the ring the slot is for, doubled; odd: filled
	kind          Kind
	start, end    int64
	wrote, read   uint8
	wrote_, read_ [maxRead]byte
}

// ringSize is the capacity in events: six seconds of the control loop at 20 Hz, with one Used per transfer.
const ringSize = 256

// Tap is an i2c.Bus that records the transfers with one address. Its methods are safe for concurrent use and do not
// block.
type Tap struct {
	bus  i2c.Bus
	addr uint16
	now  func() time.Time

	epoch time.Time

	on      atomic.Bool
	next    atomic.Uint64 // next event to be written, from 0
	seen    uint64        // next event to be read; belongs to the goroutine that drains
	dropped atomic.Uint64
	wake    chan struct{}
	ring    [ringSize]slot
}

var _ i2c.Bus = (*Tap)(nil)

// NewTap returns a tap that is off.
func NewTap(bus i2c.Bus, addr uint16, now func() time.Time) *Tap {
	return &Tap{bus: bus, addr: addr, now: now, epoch: now(), wake: make(chan struct{}, 1)}
}

// String returns the name of the bus.
func (t *Tap) String() string { return t.bus.String() }

// SetSpeed is passed to the bus.
func (t *Tap) SetSpeed(f physic.Frequency) error { return t.bus.SetSpeed(f) }

// Tx is passed to the bus and recorded.
func (t *Tap) Tx(addr uint16, w, r []byte) error {
	if addr != t.addr || !t.on.Load() {
		return t.bus.Tx(addr, w, r)
	}
	start := t.now()
	err := t.bus.Tx(addr, w, r)
	kind := transferred
	if err != nil {
		kind = failed
	}
	t.put(kind, t.steady(start), t.steady(t.now()), w, r)
	return err
}

// steady converts a time to the monotonic clock.
func (t *Tap) steady(at time.Time) int64 { return t.epoch.UnixNano() + int64(at.Sub(t.epoch)) }

// Used records that the reading taken at a time was used.
func (t *Tap) Used(taken time.Time) {
	if t.on.Load() {
		t.put(Used, taken.UnixNano(), t.steady(taken), nil, nil)
	}
}

// On turns the tap on or off.
func (t *Tap) On(on bool) { t.on.Store(on) }

// Dropped returns how many events were not recorded because the ring was full.
func (t *Tap) Dropped() uint64 { return t.dropped.Load() }

// Wake returns a channel that receives when there is something to drain.
func (t *Tap) Wake() <-chan struct{} { return t.wake }

// put fills a slot, if it is free.
func (t *Tap) put(kind Kind, start, end int64, w, r []byte) {
	n := t.next.Load()
	for {
		s := &t.ring[n%ringSize]
		round := n / ringSize * 2
		switch turn := s.turn.Load(); {
		case turn < round: // not yet drained since the last round: the ring is full
			t.dropped.Add(1)
			return
		case turn > round: // taken by another transfer
			n = t.next.Load()
			continue
		}
		if !t.next.CompareAndSwap(n, n+1) {
			n = t.next.Load()
			continue
		}
		s.kind, s.start, s.end = kind, start, end
		s.wrote, s.read = uint8(copy(s.wrote_[:maxWrite], w)), uint8(copy(s.read_[:], r))
		s.turn.Store(round + 1)
		break
	}
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// Drain calls f with each recorded event, in order, and its sequence number, which counts dropped events too. The
// event's slices are valid only until f returns. Only one goroutine may drain.
func (t *Tap) Drain(f func(number uint64, e Event)) {
	for {
		s := &t.ring[t.seen%ringSize]
		round := t.seen / ringSize * 2
		if s.turn.Load() != round+1 {
			return
		}
		f(t.seen+t.dropped.Load(), Event{s.kind, s.start, s.end, s.wrote_[:s.wrote], s.read_[:s.read]})
		s.turn.Store(round + 2)
		t.seen++
	}
}
