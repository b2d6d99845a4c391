// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// DefaultFolder is where Linux mounts a tmpfs for shared memory (shm_overview(7)).
const DefaultFolder = "/dev/shm"

// ErrSize means that a payload is too large for the area.
var ErrSize = errors.New("shm: the payload is too large for the area")

const (
	filePrefix = "epuck-rtps-" // of the names of all files
	headerSize = 16            // of a block: number, length, checksum
	alignment  = 64            // of blocks, bytes: a cache line
)

// checksums is the polynomial that processors compute.
func checksums() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// block is a block that has not been overwritten.
type block struct {
	key  Key
	ref  wire.SharedReference
	last uint64 // offset after the block
}

// Key identifies a payload in the area.
type Key struct {
	Writer  wire.EntityID
	SN      wire.SequenceNumber
	Variant int
}

// Area is the shared memory of a sending participant. It is not safe for concurrent use. Its owner calls Close.
type Area struct {
	file   *os.File
	mem    []byte  // the file
	size   uint64  // of mem
	backed uint64  // how much of it has memory
	next   uint64  // offset of the next block
	number uint64  // of the last block
	blocks []block // oldest first
	table  *crc32.Table
}

// Name returns the name of the file of the participant with a GUID prefix.
func Name(prefix wire.GUIDPrefix) string { return fmt.Sprintf("%s%x", filePrefix, prefix[:]) }

// Create creates the area of a participant in a folder, of at most size bytes, which are used as payloads are written.
// It removes the files of the user's processes that have ended without doing so.
func Create(folder string, prefix wire.GUIDPrefix, size int) (*Area, error) {
	removeStale(folder)
	path := filepath.Join(folder, Name(prefix))
	for range maxTries {
		f, err := createLocked(path)
		if err != nil {
			return nil, err
		}
		if f != nil {
			return newArea(f, size)
		}
	}
	return nil, fmt.Errorf("shm: %s is removed by others as soon as it is created", path)
}

// newArea maps a file. Its memory is allocated as blocks are written.
func newArea(f *os.File, size int) (*Area, error) {
	err := f.Truncate(int64(size))
	if err == nil {
		var mem []byte
		if mem, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err == nil {
			return &Area{file: f, mem: mem, size: uint64(size), table: checksums()}, nil
		}
		err = os.NewSyscallError("mmap", err)
	}
	return nil, errors.Join(err, os.Remove(f.Name()), f.Close())
}

// maxTries is how often a file is created again that another process removed before it was locked.
const maxTries = 10

// createLocked creates the file and locks it. It returns nil if another process has removed it in between.
func createLocked(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		return nil, errors.Join(os.NewSyscallError("flock", err), f.Close())
	}
	opened, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if named, err := os.Lstat(path); err != nil || !os.SameFile(opened, named) {
		return nil, f.Close()
	}
	return f, nil
}

// removeStale removes files that no process has locked: those of processes that were killed.
func removeStale(folder string) {
	list, err := filepath.Glob(filepath.Join(folder, filePrefix+"*"))
	if err != nil {
		return
	}
	for _, path := range list {
		f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW, 0)
		if err != nil {
			continue // another user's
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			_ = os.Remove(path)
		}
		_ = f.Close()
	}
}

// Find returns the reference to a payload that was written and not overwritten since.
func (a *Area) Find(key Key) (wire.SharedReference, bool) {
	for i := len(a.blocks) - 1; i >= 0; i-- {
		if a.blocks[i].key == key {
			return a.blocks[i].ref, true
		}
	}
	return wire.SharedReference{}, false
}

// Write copies a payload into the area. The error is [ErrSize], or the system's: there may be no memory left.
func (a *Area) Write(key Key, payload []byte) (wire.SharedReference, error) {
	need := (headerSize + uint64(len(payload)) + alignment - 1) / alignment * alignment
	if need > a.size {
		return wire.SharedReference{}, fmt.Errorf("%w: %d bytes of %d", ErrSize, len(payload), a.size)
	}
	if a.next+need > a.size {
		a.next = 0
	}
	first, last := a.next, a.next+need
	a.blocks = slices.DeleteFunc(a.blocks, func(b block) bool { return b.ref.Offset < last && first < b.last })
	a.number++
	ref := wire.SharedReference{Offset: first, Number: a.number, Length: uint32(len(payload)), Sum: crc32.Checksum(payload, a.table)}
	if err := a.back(last); err != nil {
		return wire.SharedReference{}, err
	}
	putHeader(a.mem[first:], &ref)
	copy(a.mem[first+headerSize:], payload)
	a.next = last
	a.blocks = append(a.blocks, block{key: key, ref: ref, last: last})
	return ref, nil
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

func putHeader(h []byte, ref *wire.SharedReference) {
	binary.LittleEndian.PutUint64(h[0:], ref.Number)
	binary.LittleEndian.PutUint32(h[8:], ref.Length)
	binary.LittleEndian.PutUint32(h[12:], ref.Sum)
}

// Close removes the file. Views that are open can still read it.
func (a *Area) Close() error {
	return errors.Join(unix.Munmap(a.mem), os.Remove(a.file.Name()), a.file.Close())
}
