// SPDX-License-Identifier: Apache-2.0

// Package reassembly assembles samples from fragments, within limits of memory and number. It is not safe for
// concurrent use.
package reassembly

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/memory"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Limits of reassembly.
const (
	maxPartials = 4 // samples in assembly at once for one best-effort writer
	// MaxRepairing is the same for one reliable writer, whose lost fragments are resent.
	MaxRepairing   = 32
	partialTimeout = 5 * time.Second // a sample without a new fragment for so long is dropped
)

// Assembler assembles the fragmented samples of one writer.
type Assembler struct {
	memory     *memory.Share
	drops      *Drops
	parts      []*Partial                        // by rising sequence number
	spare      *Partial                          // a finished one, for reuse of its buffers
	maxSize    int                               // largest sample accepted, bytes
	evictAbove func(sn wire.SequenceNumber) bool // frees memory of a sample after sn; may be nil
	now        *uint64                           // number of the datagram being handled
}

// Drops counts the rejected fragments, by reason, duplicate fragments, and samples dropped in assembly.
type Drops struct{ Size, Window, Memory, Contradiction, Duplicate, Partial uint64 }

// New returns an assembler of samples of at most maxSize bytes, whose memory counts in memory. now is the number of the
// datagram being handled. evictAbove, if not nil, frees the memory of a sample that is delivered after sample sn.
func New(memory *memory.Share, drops *Drops, maxSize int, now *uint64, evictAbove func(wire.SequenceNumber) bool) Assembler {
	return Assembler{memory: memory, drops: drops, maxSize: maxSize, now: now, evictAbove: evictAbove}
}

// All returns the samples in assembly by rising number.
func (a *Assembler) All() []*Partial { return a.parts }

// Find returns the sample in assembly with this number, or nil.
func (a *Assembler) Find(sn wire.SequenceNumber) *Partial {
	i, ok := a.search(sn)
	if !ok {
		return nil
	}
	return a.parts[i]
}

func (a *Assembler) search(sn wire.SequenceNumber) (int, bool) {
	return slices.BinarySearchFunc(a.parts, sn, func(p *Partial, sn wire.SequenceNumber) int {
		return int(max(-1, min(1, p.SN-sn)))
	})
}

// Add stores fragments, which the parser has checked against each other. It returns the sample if that completes it: it
// is then removed from the assembler, and the caller returns it with Recycle. ok is false if the fragments were
// rejected because of a limit or because they contradict earlier ones.
func (a *Assembler) Add(m *wire.DataFrag, info Info, keepOldest bool, now time.Time) (done *Partial, ok bool) {
	if int64(m.SampleSize) > int64(a.maxSize) {
		a.drops.Size++
		return nil, false
	}
	i, found := a.search(m.SN)
	if !found {
		if i, ok = a.open(i, m, info, keepOldest, now); !ok {
			return nil, false
		}
	}
	p := a.parts[i]
	if p.fragSize != m.FragmentSize || len(p.Data) != int(m.SampleSize) {
		a.drops.Contradiction++
		return nil, false
	}
	p.touched = now
	a.drops.Duplicate += p.store(m)
	if p.missing > 0 {
		return nil, true
	}
	a.parts = slices.Delete(a.parts, i, i+1)
	return p, true
}

// open inserts a new sample at index i of the list. A best-effort reader drops its oldest sample for it if needed. A
// reliable one does not (keepOldest): the oldest must be delivered first.
func (a *Assembler) open(i int, m *wire.DataFrag, info Info, keepOldest bool, now time.Time) (int, bool) {
	limit := maxPartials
	if keepOldest {
		limit = MaxRepairing
	}
	switch {
	case len(a.parts) < limit:
	case keepOldest && i == len(a.parts), !keepOldest && i == 0:
		a.drops.Window++
		return 0, false
	case keepOldest:
		a.drop(len(a.parts) - 1)
	default:
		a.drop(0)
		i--
	}
	p := a.buffer(int(m.SampleSize), m.SN)
	if p == nil {
		a.drops.Memory++
		return 0, false
	}
	p.Began = now
	p.SN, p.Info, p.fragSize, p.highest, p.announced = m.SN, info, m.FragmentSize, 0, 0
	p.count = m.Total()
	p.missing = p.count
	words := int(p.count+63) / 64
	p.have = slices.Grow(p.have[:0], words)[:words]
	clear(p.have)
	a.parts = slices.Insert(a.parts, i, p)
	return i, true
}

// buffer returns a Partial with size bytes of data, the spare one if that is large enough. A spare one whose sample was
// completed by the same datagram has not been read by the user function yet.
func (a *Assembler) buffer(size int, sn wire.SequenceNumber) *Partial {
	if p := a.spare; p != nil && p.lent != *a.now {
		a.spare = nil
		if cap(p.Data) >= size {
			p.Data = p.Data[:size]
			return p
		}
		a.memory.Release(cap(p.Data))
	}
	for !a.memory.Reserve(size) {
		if a.evictAbove == nil || !a.evictAbove(sn) {
			return nil
		}
	}
	return &Partial{Data: make([]byte, size)[:size:size]}
}

// Recycle keeps a completed or dropped sample for reuse. Its data are valid until the next datagram is handled.
func (a *Assembler) Recycle(p *Partial) {
	p.lent = *a.now
	if a.spare != nil {
		a.memory.Release(cap(a.spare.Data))
	}
	a.spare = p
}

// drop removes the sample at index i.
func (a *Assembler) drop(i int) {
	p := a.parts[i]
	a.parts = slices.Delete(a.parts, i, i+1)
	a.drops.Partial++
	a.Recycle(p)
}

// DropBelow drops all samples below sn and returns how many there were.
func (a *Assembler) DropBelow(sn wire.SequenceNumber) (n int) {
	for len(a.parts) > 0 && a.parts[0].SN < sn {
		a.drop(0)
		n++
	}
	return n
}

// Sweep drops samples without a new fragment for partialTimeout, and then the spare buffer. It returns the number of
// samples.
func (a *Assembler) Sweep(now time.Time) (n int) {
	for i := len(a.parts) - 1; i >= 0; i-- {
		if now.Sub(a.parts[i].touched) > partialTimeout {
			a.drop(i)
			n++
		}
	}
	if a.spare != nil && len(a.parts) == 0 && now.Sub(a.spare.touched) > partialTimeout {
		a.Close()
	}
	return n
}

// Close frees all memory.
func (a *Assembler) Close() {
	for _, p := range a.parts {
		a.memory.Release(cap(p.Data))
	}
	if a.spare != nil {
		a.memory.Release(cap(a.spare.Data))
	}
	a.parts, a.spare = nil, nil
}

// Largest returns the size of what Evict frees, bytes; 0 if there is nothing.
func (a *Assembler) Largest() int {
	switch n := len(a.parts); {
	case a.spare != nil:
		return cap(a.spare.Data)
	case n > 0:
		return cap(a.parts[n-1].Data)
	}
	return 0
}

// Evict frees the unused buffer, or else the newest sample, and reports whether there was one.
func (a *Assembler) Evict() bool {
	if a.spare == nil {
		if len(a.parts) == 0 {
			return false
		}
		a.drop(len(a.parts) - 1)
	}
	a.freeSpare()
	return true
}

// EvictAbove frees the newest sample if its number is higher than sn, and reports whether it did.
func (a *Assembler) EvictAbove(sn wire.SequenceNumber) bool {
	n := len(a.parts)
	if n == 0 || a.parts[n-1].SN <= sn {
		return false
	}
	a.drop(n - 1)
	a.freeSpare()
	return true
}

// freeSpare frees the unused buffer.
func (a *Assembler) freeSpare() {
	if a.spare != nil {
		a.memory.Release(cap(a.spare.Data))
		a.spare = nil
	}
}
