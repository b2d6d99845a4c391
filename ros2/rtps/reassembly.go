// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Limits of reassembly.
const (
	maxPartials    = 4               // samples in assembly at once for one best-effort writer
	maxRepairing   = 32              // and for one reliable writer, whose lost fragments come again
	partialTimeout = 5 * time.Second // a sample without news for so long is given up
)

// assembler puts the fragmented samples of one writer together. Guarded by Participant.mu.
type assembler struct {
	memory  *memoryShare
	drops   *Drops
	parts   []*partial                        // by rising sequence number
	spare   *partial                          // a finished one, for reuse of its buffers
	maxSize int                               // largest sample accepted, bytes
	relieve func(sn wire.SequenceNumber) bool // frees memory that is less urgent than a sample; nil if none ever is
	now     *uint64                           // number of the datagram being handled
}

// find returns the sample in assembly with this number, or nil.
func (a *assembler) find(sn wire.SequenceNumber) *partial {
	i, ok := a.search(sn)
	if !ok {
		return nil
	}
	return a.parts[i]
}

func (a *assembler) search(sn wire.SequenceNumber) (int, bool) {
	return slices.BinarySearchFunc(a.parts, sn, func(p *partial, sn wire.SequenceNumber) int {
		return int(max(-1, min(1, p.sn-sn)))
	})
}

// add stores fragments, which the parser has checked against each other. It returns the sample if that completes it: it
// is then out of the assembler, and the caller gives it back with recycle. ok is false if the fragments were not taken,
// for a limit or because they contradict earlier ones.
func (a *assembler) add(m *wire.DataFrag, info sampleInfo, keepOldest bool, now time.Time) (done *partial, ok bool) {
	if int64(m.SampleSize) > int64(a.maxSize) {
		a.drops[DropFragmentSize]++
		return nil, false
	}
	i, found := a.search(m.SN)
	if !found {
		if i, ok = a.open(i, m, info, keepOldest, now); !ok {
			return nil, false
		}
	}
	p := a.parts[i]
	if p.fragSize != m.FragmentSize || len(p.data) != int(m.SampleSize) {
		a.drops[DropFragmentContradiction]++
		return nil, false
	}
	p.touched = now
	a.drops[DropDuplicate] += p.store(m)
	if p.missing > 0 {
		return nil, true
	}
	a.parts = slices.Delete(a.parts, i, i+1)
	return p, true
}

// open makes room for a new sample at index i of the list. A best-effort reader gives up its oldest sample for it; a
// reliable one keeps that, which must come first (keepOldest).
func (a *assembler) open(i int, m *wire.DataFrag, info sampleInfo, keepOldest bool, now time.Time) (int, bool) {
	limit := maxPartials
	if keepOldest {
		limit = maxRepairing
	}
	switch {
	case len(a.parts) < limit:
	case keepOldest && i == len(a.parts), !keepOldest && i == 0:
		a.drops[DropFragmentWindow]++
		return 0, false
	case keepOldest:
		a.drop(len(a.parts) - 1)
	default:
		a.drop(0)
		i--
	}
	p := a.buffer(int(m.SampleSize), m.SN)
	if p == nil {
		a.drops[DropFragmentMemory]++
		return 0, false
	}
	p.began = now
	p.sn, p.info, p.fragSize, p.highest, p.announced = m.SN, info, m.FragmentSize, 0, 0
	p.count = m.Total()
	p.missing = p.count
	words := int(p.count+63) / 64
	p.have = slices.Grow(p.have[:0], words)[:words]
	clear(p.have)
	a.parts = slices.Insert(a.parts, i, p)
	return i, true
}

// buffer returns a partial with size bytes of data, the spare one if that is large enough. A spare one whose sample was
// completed by the same datagram is still to be read by the user's function.
func (a *assembler) buffer(size int, sn wire.SequenceNumber) *partial {
	if p := a.spare; p != nil && p.lent != *a.now {
		a.spare = nil
		if cap(p.data) >= size {
			p.data = p.data[:size]
			return p
		}
		a.memory.release(cap(p.data))
	}
	for !a.memory.reserve(size) {
		if a.relieve == nil || !a.relieve(sn) {
			return nil
		}
	}
	return &partial{data: make([]byte, size)[:size:size]}
}

// recycle takes back a finished or given up sample. Its data stay readable until the next datagram is handled.
func (a *assembler) recycle(p *partial) {
	p.lent = *a.now
	if a.spare != nil {
		a.memory.release(cap(a.spare.data))
	}
	a.spare = p
}

// drop gives up the sample at index i.
func (a *assembler) drop(i int) {
	p := a.parts[i]
	a.parts = slices.Delete(a.parts, i, i+1)
	a.drops[DropPartial]++
	a.recycle(p)
}

// dropBelow gives up all samples below sn and returns how many there were.
func (a *assembler) dropBelow(sn wire.SequenceNumber) (n int) {
	for len(a.parts) > 0 && a.parts[0].sn < sn {
		a.drop(0)
		n++
	}
	return n
}

// sweep gives up samples that had no news for the time-out, and then the spare buffer. It returns how many samples
// there were.
func (a *assembler) sweep(now time.Time) (n int) {
	for i := len(a.parts) - 1; i >= 0; i-- {
		if now.Sub(a.parts[i].touched) > partialTimeout {
			a.drop(i)
			n++
		}
	}
	if a.spare != nil && len(a.parts) == 0 && now.Sub(a.spare.touched) > partialTimeout {
		a.close()
	}
	return n
}

// close frees all memory.
func (a *assembler) close() {
	for _, p := range a.parts {
		a.memory.release(cap(p.data))
	}
	if a.spare != nil {
		a.memory.release(cap(a.spare.data))
	}
	a.parts, a.spare = nil, nil
}

// freeSpare lets go of the unused buffer.
func (a *assembler) freeSpare() {
	if a.spare != nil {
		a.memory.release(cap(a.spare.data))
		a.spare = nil
	}
}
