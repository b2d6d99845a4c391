// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/internal/pagefault"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Errors of views.
var (
	// errOverwritten means that the area does not contain what the reference describes: the block was overwritten.
	errOverwritten = errors.New("shm: the block was overwritten")
	// errLent means that as many loans as allowed have not been released.
	errLent = errors.New("shm: too many loans")
	// errSize means that a file is too short for the words of its pins.
	errSize = errors.New("shm: the file is too short")
)

// View is the memory of another participant, as an [Area]'s owner sees it: it reads the payloads there, and which
// blocks of the area the other one is reading. It is not safe for concurrent use. Its owner calls Close.
type View struct {
	reader  *Area
	mapping *mapping
	file    *os.File // stays open: its lock shows whether the owner still runs, also when the name was removed
	path    string
	owner   uint32 // identity
	lent    atomic.Int64
	hasLent atomic.Bool // ever
	open    bool
	ended   bool // its participant has none of this memory any more
}

// Open opens the area of the participant with a GUID prefix, and from now on respects its pins.
func (a *Area) Open(prefix wire.GUIDPrefix) (*View, error) {
	a.forgetEnded()
	v := &View{reader: a, path: filepath.Join(a.folder, Name(prefix)), owner: identity(prefix), open: true}
	for _, r := range a.readers {
		if r.path == v.path { // its participant was lost for a while
			r.open = true
			return r, nil
		}
	}
	f, size, err := openFile(v.path)
	if err != nil {
		return nil, err
	}
	if size < tableSize {
		return nil, errors.Join(fmt.Errorf("%w: %d bytes in %s", errSize, size, v.path), f.Close())
	}
	if v.mapping, err = newMapping(f, int(size), unix.PROT_READ, a.addresses.reuse(int(size)), v.unmap); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	v.file = f
	a.readers = append(a.readers, v)
	return v, nil
}

// drop ends the view; what is lent of it remains.
func (v *View) drop() {
	_ = v.mapping.release() // of a mapping that is only read
	_ = v.file.Close()      // which was only read
}

func (v *View) unmap(mem []byte) error {
	if v.hasLent.Load() {
		return v.reader.addresses.keep(mem)
	}
	return unmap(mem)
}

// Close means that nothing more is read. Its loans remain valid. The area respects the pins of the participant until
// it has ended: it may have loans, or references that it has not read yet.
func (v *View) Close() error {
	v.open = false
	v.reader.forgetEnded()
	return nil
}

// Read appends the payload of a reference to dst, or returns dst as it is with an error: the block was overwritten.
func (v *View) Read(dst []byte, ref wire.SharedReference) ([]byte, error) {
	if err := v.check(ref); err != nil {
		return dst, err
	}
	pins := v.reader.pins
	pins.pin(copyPin, pinOf(v.owner, ref.Offset))
	defer pins.unpin(copyPin)
	n := len(dst)
	out := grow(dst, int(ref.Length))
	if !v.guarded(func() bool {
		return v.contains(ref) && copy(out[n:], v.payload(ref)) == int(ref.Length) && v.contains(ref)
	}) {
		return dst, errOverwritten
	}
	return out, nil
}

// Lend returns a loan of the payload of a reference. The error means that it was overwritten, or that the limit of
// loans is reached: then it can be read.
func (v *View) Lend(ref wire.SharedReference) (*Loan, error) {
	if err := v.check(ref); err != nil {
		return nil, err
	}
	l := v.reader.pins.free()
	if l == nil || v.lent.Load()+int64(ref.Length) > int64(len(v.mapping.mem)/lentShare) {
		return nil, errLent
	}
	l.table.pin(l.slot, pinOf(v.owner, ref.Offset))
	if !v.guarded(func() bool { return v.contains(ref) }) {
		l.table.unpin(l.slot)
		return nil, errOverwritten
	}
	l.view, l.payload = v, v.payload(ref)
	v.lent.Add(int64(ref.Length))
	v.hasLent.Store(true)
	v.mapping.use()
	l.table.mapping.use()
	l.uses.Store(1)
	l.taken.Store(true)
	return l, nil
}

// check checks that a reference is within the file.
func (v *View) check(ref wire.SharedReference) error {
	size := uint64(len(v.mapping.mem))
	if need := headerSize + uint64(ref.Length); need > size || ref.Offset > size-need || ref.Offset < tableSize || ref.Offset%alignment != 0 {
		return fmt.Errorf("%w: %d bytes at %d of %d", errOverwritten, ref.Length, ref.Offset, size)
	}
	return nil
}

func (v *View) payload(ref wire.SharedReference) []byte {
	first := ref.Offset + headerSize
	return v.mapping.mem[first : first+uint64(ref.Length) : first+uint64(ref.Length)]
}

// contains reports whether the block of a reference has not been overwritten. Since its owner invalidates a block
// before it reads the pins, one that was pinned before this call is not overwritten if this returns true.
func (v *View) contains(ref wire.SharedReference) bool {
	b := v.mapping.mem[ref.Offset:]
	return word(b, 0).Load() == valid(ref.Number) && binary.LittleEndian.Uint32(b[4:]) == ref.Length &&
		binary.LittleEndian.Uint64(b[8:]) == ref.Number
}

// guarded calls read and returns its result. The owner of the file, or anyone of the same user, may truncate it at any
// time: then the result is false.
func (v *View) guarded(read func() bool) (ok bool) {
	return !pagefault.Caught(func() { ok = read() }) && ok
}

// pinned reports whether the participant is reading the block.
func (v *View) pinned(pin uint32) bool {
	if v.ended {
		return false
	}
	found := false
	if v.guarded(func() bool {
		for i := range maxLoans + 1 {
			found = found || word(v.mapping.mem, uint64(4*i)).Load() == pin
		}
		return true
	}) && found && inUse(v.file) {
		return true
	}
	v.ended = v.ended || found
	return false
}

// grow returns dst with n more bytes.
func grow(dst []byte, n int) []byte {
	if cap(dst)-len(dst) >= n {
		return dst[:len(dst)+n]
	}
	out := make([]byte, len(dst)+n)
	copy(out, dst)
	return out
}

// HostID identifies the shared memory that the process sees: two processes with the same one, and only they, can read
// each other's areas. It is derived from the boot of the kernel, the mount of the folder, the user, and the layout of
// the files.
func HostID(folder string) (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	var st unix.Stat_t
	if err := unix.Stat(folder, &st); err != nil {
		return "", &os.PathError{Op: "stat", Path: folder, Err: err}
	}
	id := fmt.Sprintf("%s %d %d %d pins", boot, st.Dev, st.Ino, os.Geteuid())
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16]), nil
}
