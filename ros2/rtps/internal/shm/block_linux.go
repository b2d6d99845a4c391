// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Block is a payload in the area. One from [Area.Lend] is written by its user before it is published. It is the
// source of a change of a history (history.Source), which keeps it as long as the change.
type Block struct {
	area        *Area
	key         Key
	ref         wire.SharedReference
	first, last uint64
	lent        bool   // its user may be writing it
	keeper      Keeper // of the history that has it; nil if none does
}

// Keeper has published a block and needs its payload.
type Keeper interface {
	// Evict copies the payload and releases the block, whose memory is needed, or reports false.
	Evict(*Block) bool
}

// block returns an unused block.
func (a *Area) block() *Block {
	n := len(a.unused)
	if n == 0 {
		return &Block{area: a}
	}
	b := a.unused[n-1]
	a.unused = a.unused[:n-1]
	*b = Block{area: a}
	return b
}

// Lend returns a block for a payload of up to size bytes, for [Area.Publish] or [Block.Return]. The errors are those of
// [Area.Write].
func (a *Area) Lend(size int) (*Block, error) {
	b, err := a.reserve(size)
	if err != nil {
		return nil, err
	}
	b.lent = true
	a.mapping.use()
	return b, nil
}

// Space returns the block's memory, an empty slice with its capacity.
func (b *Block) Space() []byte { return b.area.mapping.mem[b.payload():b.payload():b.last] }

// Lent returns the block with lent memory, or nil.
func (a *Area) Lent(space []byte) *Block {
	for _, b := range a.blocks {
		if b.lent && unsafe.SliceData(space) == unsafe.SliceData(b.Space()) {
			return b
		}
	}
	return nil
}

// Publish makes the first n bytes of a lent block the payload that references describe, and keeper the one who needs
// it until Release.
func (a *Area) Publish(b *Block, n int, keeper Keeper) {
	b.keeper = keeper
	b.area.guarded(func() { b.publish(n) })
	if a.next == b.last { // what is left of it can be used
		b.last = b.first + (headerSize+uint64(n)+alignment-1)/alignment*alignment
		a.next = b.last
	}
	b.Return()
}

// Return ends the loan of a block, also after the area was closed.
func (b *Block) Return() {
	b.lent = false
	_ = b.area.mapping.release() // the file of a closed area is removed by the next program otherwise
}

// Payload returns the payload of a published block; see Lost.
func (b *Block) Payload() []byte {
	b.area.check()
	return b.area.mapping.mem[b.payload() : b.payload()+uint64(b.ref.Length)]
}

// Lost reports whether the payload is lost, since another program has truncated the file.
func (b *Block) Lost() bool { return b.area.damaged.Load() }

// Reference returns the reference to a published block.
func (b *Block) Reference() wire.SharedReference { return b.ref }

// Release means that the keeper does not need the block any more. It can be read until it is overwritten.
func (b *Block) Release() { b.keeper = nil }

// payload returns the offset of the payload.
func (b *Block) payload() uint64 { return b.first + headerSize }

// publish writes the header, last of all.
func (b *Block) publish(n int) {
	b.ref.Length = uint32(n)
	putHeader(b.area.mapping.mem[b.first:], &b.ref)
}

// invalidate makes references to the block invalid, so that it can be overwritten. It reports false, and they remain
// valid, if it is in use. A reader pins a block before it checks whether it is valid, so either it finds it invalid or
// it is found here.
func (b *Block) invalidate() bool {
	if b.keeper != nil && !b.keeper.Evict(b) {
		return false
	}
	state, before := word(b.area.mapping.mem, b.first), uint32(0)
	if !b.area.guarded(func() { before = state.Swap(0) }) {
		return true // nothing of it is left
	}
	if !b.area.pinned(b) {
		return true
	}
	b.area.guarded(func() { state.Store(before) })
	return false
}
