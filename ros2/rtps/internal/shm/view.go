// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime/debug"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Errors of views.
var (
	// errOverwritten means that the area does not contain what the reference describes: the block was overwritten.
	errOverwritten = errors.New("shm: the block was overwritten")
	// errForeign means that the file is not a regular file of the user.
	errForeign = errors.New("shm: not a regular file of this user")
)

// View reads the area of another participant. It is not safe for concurrent use. Its owner calls Close.
type View struct {
	mem   []byte
	want  [headerSize]byte
	table *crc32.Table
}

// Open opens the area of the participant with a GUID prefix.
func Open(folder string, prefix wire.GUIDPrefix) (*View, error) {
	path := filepath.Join(folder, Name(prefix))
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return nil, errors.Join(os.NewSyscallError("fstat", err), f.Close())
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || int(st.Uid) != os.Geteuid() {
		return nil, errors.Join(fmt.Errorf("%w: %s", errForeign, path), f.Close())
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, errors.Join(os.NewSyscallError("mmap", err), f.Close())
	}
	return &View{mem: mem, table: checksums()}, f.Close()
}

// Read appends the payload of a reference to dst, or returns dst as it is with an error: the block was overwritten.
func (v *View) Read(dst []byte, ref wire.SharedReference) ([]byte, error) {
	size := uint64(len(v.mem))
	if need := headerSize + uint64(ref.Length); need > size || ref.Offset > size-need {
		return dst, fmt.Errorf("%w: %d bytes at %d of %d", errOverwritten, ref.Length, ref.Offset, size)
	}
	putHeader(v.want[:], &ref)
	n := len(dst)
	out := grow(dst, int(ref.Length))
	if !v.copy(out[n:], v.mem[ref.Offset:]) {
		return dst, errOverwritten
	}
	// The checksum detects a block that was overwritten while it was copied.
	if crc32.Checksum(out[n:], v.table) != ref.Sum {
		return dst, errOverwritten
	}
	return out, nil
}

// copy copies the payload of a block, and reports whether it has the wanted header. The owner of the file may truncate
// it at any time: then the access faults, which is a panic here instead of the end of the program.
func (v *View) copy(dst, block []byte) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil { // nothing below panics but for a fault
			ok = false
		}
	}()
	if !bytes.Equal(block[:headerSize], v.want[:]) {
		return false
	}
	copy(dst, block[headerSize:])
	return true
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

// Close unmaps the file.
func (v *View) Close() error { return unix.Munmap(v.mem) }

// HostID identifies the shared memory that the process sees: two processes with the same one, and only they, can read
// each other's areas. It is derived from the boot of the kernel, the mount of the folder and the user.
func HostID(folder string) (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	var st unix.Stat_t
	if err := unix.Stat(folder, &st); err != nil {
		return "", &os.PathError{Op: "stat", Path: folder, Err: err}
	}
	id := fmt.Sprintf("%s %d %d %d", boot, st.Dev, st.Ino, os.Geteuid())
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16]), nil
}
