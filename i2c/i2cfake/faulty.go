// SPDX-License-Identifier: Apache-2.0

package i2cfake

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// Fault is a kind of failure of a transaction.
type Fault uint8

// The faults.
const (
	None         Fault = iota
	NAK                // the address is not acknowledged, the device receives nothing: EREMOTEIO
	Timeout            // the device receives nothing, and time passes: ETIMEDOUT
	ReadError          // the device receives the write and answers, the answer is lost: EIO
	CorruptWrite       // one bit of the write is inverted before the device receives it
	CorruptRead        // one bit of the answer is inverted
	ShortWrite         // the device receives only the first bytes of the write, then EREMOTEIO
	ShortRead          // only the first bytes of the answer arrive, the others are 0xFF as on an idle bus
	Delay              // the transaction succeeds late
	Gone               // the bus no longer exists: ENODEV
	numFaults
)

var faultNames = [numFaults]string{
	"none", "NAK", "time-out", "read error", "corrupt write", "corrupt read", "short write", "short read", "delay", "gone",
}

// String names the fault.
func (f Fault) String() string {
	if f < numFaults {
		return faultNames[f]
	}
	return fmt.Sprintf("fault %d", uint8(f))
}

// Faulty is a bus that makes the transactions on another fail. It is safe for concurrent use.
type Faulty struct {
	bus   pi2c.Bus
	sleep func(time.Duration)

	mu        sync.Mutex
	rng       *rand.Rand
	seed      uint64
	plan      []Fault
	rate      [numFaults]float64
	unplugged bool
	done      [numFaults]int
}

var _ pi2c.Bus = (*Faulty)(nil)

// NewFaulty returns a bus without faults that wraps another. The seed determines bits and random faults. Delays and
// time-outs call sleep, which may be nil.
func NewFaulty(bus pi2c.Bus, seed uint64, sleep func(time.Duration)) *Faulty {
	if sleep == nil {
		sleep = func(time.Duration) {}
	}
	return &Faulty{bus: bus, sleep: sleep, seed: seed, rng: rand.New(rand.NewPCG(seed, seed^0x9E3779B97F4A7C15))}
}

// Plan appends faults for the next transactions, one each; None lets one pass.
func (b *Faulty) Plan(faults ...Fault) *Faulty {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.plan = append(b.plan, faults...)
	return b
}

// Rate makes a fault happen at random with the probability p, once the plan is used up.
func (b *Faulty) Rate(f Fault, p float64) *Faulty {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate[f] = p
	return b
}

// Unplug disconnects the device from the bus (every transaction is a NAK) or reconnects it.
func (b *Faulty) Unplug(out bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unplugged = out
}

// count is how often a fault happened; for None, how many transactions passed.
func (b *Faulty) count(f Fault) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.done[f]
}

// String names the fake, its seed and the wrapped bus, so that a failing test can be repeated.
func (b *Faulty) String() string { return fmt.Sprintf("faulty(seed %d) %v", b.seed, b.bus) }

// SetSpeed is passed to the bus.
func (b *Faulty) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }

// Tx is passed to the bus, or fails.
func (b *Faulty) Tx(addr uint16, w, r []byte) error {
	f, bit := b.choose()
	switch f {
	case NAK:
		return system.EREMOTEIO
	case Gone:
		return syscall.ENODEV
	case Timeout:
		b.sleep(20 * time.Millisecond)
		return syscall.ETIMEDOUT
	case Delay:
		b.sleep(10 * time.Millisecond)
	case CorruptWrite:
		return b.bus.Tx(addr, flipped(w, bit), r)
	case ShortWrite:
		if len(w) > 1 {
			_ = b.bus.Tx(addr, w[:1+bit%(len(w)-1)], nil)
		}
		return system.EREMOTEIO
	}
	err := b.bus.Tx(addr, w, r)
	if err != nil {
		return err
	}
	switch f {
	case ReadError:
		clear(r)
		return syscall.EIO
	case CorruptRead:
		copy(r, flipped(r, bit))
	case ShortRead:
		for i := bit % max(len(r), 1); i < len(r); i++ {
			r[i] = 0xFF
		}
	}
	return nil
}

// choose returns the fault of this transaction and a random number for its details.
func (b *Faulty) choose() (Fault, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := None
	switch {
	case b.unplugged:
		f = NAK
	case len(b.plan) > 0:
		f, b.plan = b.plan[0], b.plan[1:]
	default:
		x := b.rng.Float64()
		for k, p := range b.rate {
			if x -= p; x < 0 {
				f = Fault(k)
				break
			}
		}
	}
	b.done[f]++
	return f, b.rng.IntN(1 << 16)
}

// flipped returns a copy of p with one bit inverted.
func flipped(p []byte, bit int) []byte {
	q := append([]byte(nil), p...)
	if len(q) > 0 {
		bit %= 8 * len(q)
		q[bit/8] ^= 1 << (bit % 8)
	}
	return q
}
