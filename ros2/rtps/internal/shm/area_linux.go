// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/internal/pagefault"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

const (
	alignment  = 64 // of blocks, bytes: a cache line
	headerSize = 28 // of a block: after it and the 4 bytes of a payload's header, CDR's alignment is that of the block
)

// Area is the shared memory of a participant. It is not safe for concurrent use. Its owner calls Close.
type Area struct {
	folder    string
	file      *os.File
	mapping   *mapping
	id        uint32
	pins      *pinTable
	addresses addresses
	readers   []*View // participants that may read the blocks
	size      uint64  // of the file
	backed    uint64  // how much of it has memory
	next      uint64  // offset of the next block
	number    uint64  // of the last block
	blocks    []*Block
	unused    []*Block
	damaged   atomic.Bool // the file was truncated: what was in it is lost, and nothing more is written
}

// Create creates the area of a participant in a folder, of at most size bytes, which are used as payloads are written.
// It removes the files of the user's processes that have ended without doing so.
func Create(folder string, prefix wire.GUIDPrefix, size int) (*Area, error) {
	removeStale(folder)
	f, err := createFile(filepath.Join(folder, Name(prefix)))
	if err != nil {
		return nil, err
	}
	a := &Area{folder: folder, file: f, id: identity(prefix), size: tableSize + uint64(size), next: tableSize, number: rand.Uint64()}
	if err = f.Truncate(int64(a.size)); err == nil {
		if err = a.back(tableSize); err == nil {
			a.mapping, err = newMapping(f, int(a.size), unix.PROT_READ|unix.PROT_WRITE, nil, a.end)
		}
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(f.Name()), f.Close())
	}
	a.pins = newPinTable(a.mapping)
	return a, nil
}

// end removes the file. Views that are open can still read it.
func (a *Area) end(mem []byte) error {
	err := os.Remove(a.file.Name())
	if errors.Is(err, os.ErrNotExist) {
		err = nil // another program did: systemd's RemoveIPC, for one
	}
	return errors.Join(unmap(mem), err, a.file.Close())
}

// Close removes the file when the last loan has been released, those of this area and those of others to its
// participant: until then its pins are respected.
func (a *Area) Close() error {
	for _, v := range a.readers {
		v.drop()
	}
	a.readers = nil
	return a.mapping.release()
}

// forgetEnded closes views that are not read any more, of participants that have ended.
func (a *Area) forgetEnded() {
	a.readers = slices.DeleteFunc(a.readers, func(v *View) bool {
		if v.open || !v.ended && inUse(v.file) {
			return false
		}
		v.drop()
		return true
	})
}

// Find returns the reference to a payload that was written and not overwritten since.
func (a *Area) Find(key Key) (wire.SharedReference, bool) {
	if a.damaged.Load() {
		return wire.SharedReference{}, false
	}
	for i := len(a.blocks) - 1; i >= 0; i-- {
		if a.blocks[i].key == key {
			return a.blocks[i].ref, true
		}
	}
	return wire.SharedReference{}, false
}

// Write copies a payload into the area. The error is [ErrSize], [ErrFull], or the system's: there may be no memory
// left.
func (a *Area) Write(key Key, payload []byte) (wire.SharedReference, error) {
	b, err := a.reserve(len(payload))
	if err != nil {
		return wire.SharedReference{}, err
	}
	if !a.guarded(func() {
		copy(a.mapping.mem[b.payload():b.last], payload)
		b.publish(len(payload))
	}) {
		return wire.SharedReference{}, ErrDamaged
	}
	b.key = key
	return b.ref, nil
}

// guarded calls f, which writes to the file, and reports false if that was truncated: see check.
func (a *Area) guarded(f func()) bool {
	if pagefault.Caught(f) {
		a.damaged.Store(true)
	}
	return a.check()
}

// check reports whether the file is as long as it was made. Anyone of the same user can truncate it: then its length is
// restored, so that those who read it do not fault, and what was in it is lost.
func (a *Area) check() bool {
	if a.damaged.Load() {
		a.restore()
		return false
	}
	var st unix.Stat_t
	if unix.Fstat(int(a.file.Fd()), &st) == nil && uint64(st.Size) >= a.size {
		return true
	}
	a.damaged.Store(true)
	a.restore()
	return false
}

// restore lengthens a truncated file again.
func (a *Area) restore() { _ = a.file.Truncate(int64(a.size)) } // without memory for it, accesses remain guarded

// reserve returns a new block for payloads up to a size. It overwrites the oldest blocks, but none in use.
func (a *Area) reserve(size int) (*Block, error) {
	need := (headerSize + uint64(size) + alignment - 1) / alignment * alignment
	if need > a.size-tableSize {
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrSize, size, a.size-tableSize)
	}
	if !a.check() {
		return nil, ErrDamaged
	}
	first, wrapped := a.next, false
	for {
		if first+need > a.size {
			if wrapped {
				return nil, fmt.Errorf("%w: no %d bytes", ErrFull, size)
			}
			first, wrapped = tableSize, true
		}
		obstacle := a.clear(first, first+need)
		if obstacle == nil {
			break
		}
		first = obstacle.last
	}
	if err := a.back(first + need); err != nil {
		return nil, err
	}
	if a.number++; valid(a.number) == 0 {
		a.number++
	}
	if !a.guarded(func() { word(a.mapping.mem, first).Store(0) }) {
		return nil, ErrDamaged
	}
	b := a.block()
	b.first, b.last, b.ref = first, first+need, wire.SharedReference{Offset: first, Number: a.number}
	a.next = b.last
	a.blocks = append(a.blocks, b)
	return b, nil
}

// clear removes the blocks between two offsets, or returns one that is in use.
func (a *Area) clear(first, last uint64) (obstacle *Block) {
	within := func(b *Block) bool { return b.first < last && first < b.last }
	for _, b := range a.blocks {
		if within(b) && (b.lent || a.pinned(b)) {
			return b
		}
	}
	for i := 0; i < len(a.blocks); {
		b := a.blocks[i]
		if !within(b) {
			i++
			continue
		}
		if !b.invalidate() {
			return b
		}
		a.blocks = slices.Delete(a.blocks, i, i+1)
		a.unused = append(a.unused, b)
	}
	return nil
}

// pinned reports whether a participant is reading the block.
func (a *Area) pinned(b *Block) bool {
	pin := pinOf(a.id, b.first)
	for _, v := range a.readers {
		if v.pinned(pin) {
			return true
		}
	}
	return false
}

// back allocates memory up to an offset: writing to a page for which there is none left would end the program.
func (a *Area) back(last uint64) error {
	if last <= a.backed {
		return nil
	}
	if err := unix.Fallocate(int(a.file.Fd()), 0, int64(a.backed), int64(last-a.backed)); err != nil {
		return os.NewSyscallError("fallocate", err)
	}
	a.backed = last
	return nil
}

// valid returns the first word of a valid block with a number; that of any other block is zero.
func valid(number uint64) uint32 { return uint32(number) }

func putHeader(h []byte, ref *wire.SharedReference) {
	binary.LittleEndian.PutUint32(h[4:], ref.Length)
	binary.LittleEndian.PutUint64(h[8:], ref.Number)
	word(h, 0).Store(valid(ref.Number))
}
