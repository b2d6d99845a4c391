// SPDX-License-Identifier: Apache-2.0

package vbus

import (
	"fmt"
	"sync"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// Rates are probabilities per transfer, each in [0, 1], together at most 1.
// The byte and the bit that a corrupting fault hits are random too.
type Rates struct {
	NAK, DataNAK, Timeout, ReadNAK, ReadTimeout, CorruptWrite, CorruptRead, Restart, Stuck, Glitch float64
}

func (r *Rates) list() [kinds]float64 {
	return [kinds]float64{0, r.NAK, r.DataNAK, r.Timeout, r.ReadNAK, r.ReadTimeout,
		r.CorruptWrite, r.CorruptRead, r.Restart, r.Stuck, r.Glitch}
}

// Faults decides which transfers of a bus, or with one chip, fail. A scripted fault (Next, At)
// goes before a held one (Hold), that before a random one (SetRates); the same
// seed, script and transfers give the same faults. Safe for concurrent use.
type Faults struct {
	mu      sync.Mutex
	random  noise.Source
	rates   [kinds]float64
	script  map[uint64]Fault // by number of the transfer
	after   uint64           // Next's faults begin here or later
	held    Fault
	address int // transfers with this address count; −1: all
	count   uint64
	done    [kinds]uint64
}

func (p *Faults) init(random noise.Source) {
	p.random = random
	p.script = make(map[uint64]Fault)
	p.address = -1
}

// SetRates sets the random faults. It fails, and changes nothing, if a rate is
// not 0 to 1 or their sum is above 1; the error names the kind and the rate, or
// the sum.
func (p *Faults) SetRates(r Rates) error {
	sum, list := 0.0, r.list()
	for k, v := range list {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("%w: rate %g of %v is no probability", errFault, v, Kind(k))
		}
		sum += v
	}
	if sum > 1 {
		return fmt.Errorf("%w: rates add up to %g", errFault, sum)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rates = list
	return nil
}

// Next plans one fault for each of the coming transfers that have none planned
// yet by Next; Fault{} leaves one alone. It fails, and plans nothing, if one of
// them has an unknown Kind or a negative Byte; the error names the value.
func (p *Faults) Next(faults ...Fault) error {
	for _, f := range faults {
		if err := f.check(); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.after = max(p.after, p.count)
	for _, f := range faults {
		p.script[p.after] = f
		p.after++
	}
	return nil
}

// At plans a fault for transfer n, counted from 0 as Transfers does.
func (p *Faults) At(n uint64, f Fault) error {
	if err := f.check(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n >= p.count {
		p.script[n] = f
	}
	return nil
}

// Hold makes every transfer fail with f until Hold(Fault{}): a stuck bus, a
// chip without power.
func (p *Faults) Hold(f Fault) error {
	if err := f.check(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = f
	return nil
}

// Only restricts faults to the transfers with one address; others are neither
// disturbed nor counted. A negative address lifts the restriction.
func (p *Faults) Only(addr int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.address = max(addr, -1)
}

// Transfers returns how many transfers have begun (see Only).
func (p *Faults) Transfers() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}

// Injected returns how often a kind of fault has happened.
func (p *Faults) Injected(k Kind) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k >= kinds {
		return 0
	}
	return p.done[k]
}

// next chooses the fault of the transfer that begins now.
func (p *Faults) next(addr uint16, w, r int) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.address >= 0 && int(addr) != p.address {
		return Fault{}
	}
	n := p.count
	p.count++
	f, planned := p.script[n]
	switch {
	case planned:
		delete(p.script, n)
	case p.held.Kind != None:
		f = p.held
	default:
		f = p.draw(n)
	}
	f = f.fitted(w, r)
	p.done[f.Kind]++
	return f
}

// draw picks the random fault of transfer n.
func (p *Faults) draw(n uint64) Fault {
	u := p.random.Float64(n)
	for k, rate := range p.rates {
		if u < rate {
			detail := p.random.Stream(1).Uint64(n)
			return Fault{Kind: Kind(k), Byte: int(detail & 0xffff), Mask: 1 << (detail >> 16 & 7)}
		}
		u -= rate
	}
	return Fault{}
}
