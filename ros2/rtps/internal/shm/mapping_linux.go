// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapping is a mapped file. It ends when its owner and all loans of its memory have released it.
type mapping struct {
	mem  []byte
	uses atomic.Int32
	end  func(mem []byte) error // called by the last release
}

// newMapping maps a file, at an address that was used before if there is one, and returns it with one use.
func newMapping(f *os.File, size, protection int, at unsafe.Pointer, end func([]byte) error) (*mapping, error) {
	flags := unix.MAP_SHARED
	if at != nil {
		flags |= unix.MAP_FIXED
	}
	p, err := unix.MmapPtr(int(f.Fd()), 0, at, uintptr(size), protection, flags)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	m := &mapping{mem: unsafe.Slice((*byte)(p), size), end: end}
	m.uses.Store(1)
	return m, nil
}

func (m *mapping) use() { m.uses.Add(1) }

func (m *mapping) release() error {
	if m.uses.Add(-1) == 0 {
		return m.end(m.mem)
	}
	return nil
}

// word returns an aligned word of a mapping, which several processes access. 32 bits are atomic on every processor
// without writing, which a mapping for reading forbids.
func word(mem []byte, offset uint64) *atomic.Uint32 {
	return (*atomic.Uint32)(unsafe.Pointer(&mem[offset]))
}

// unmap unmaps memory to which no slice of Go's refers any more.
func unmap(mem []byte) error {
	return os.NewSyscallError("munmap", unix.MunmapPtr(unsafe.Pointer(&mem[0]), uintptr(len(mem))))
}

// addresses are ranges of addresses at which lent memory was mapped. A message that its user has forgotten may still
// refer to it, so that the range must not become memory of Go's: it is kept, without memory, for another mapping. It is
// safe for concurrent use.
type addresses struct {
	mu   sync.Mutex
	free []([]byte)
}

// keep frees the memory and keeps its addresses.
func (a *addresses) keep(mem []byte) error {
	_, err := unix.MmapPtr(-1, 0, unsafe.Pointer(&mem[0]), uintptr(len(mem)), unix.PROT_NONE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_FIXED|unix.MAP_NORESERVE)
	if err != nil {
		return os.NewSyscallError("mmap", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free = append(a.free, mem)
	return nil
}

// reuse removes and returns kept addresses of the size, or nil.
func (a *addresses) reuse(size int) unsafe.Pointer {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, mem := range a.free {
		if len(mem) == size {
			last := len(a.free) - 1
			a.free[i] = a.free[last]
			a.free = a.free[:last]
			return unsafe.Pointer(&mem[0])
		}
	}
	return nil
}
