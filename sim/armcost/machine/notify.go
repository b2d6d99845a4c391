// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The kernel's include/uapi/linux/seccomp.h.
const (
	ioctlReceive  = 0xc0502100 // SECCOMP_IOCTL_NOTIF_RECV
	ioctlSend     = 0xc0182101 // SECCOMP_IOCTL_NOTIF_SEND
	ioctlSetFlags = 0x40082104 // SECCOMP_IOCTL_NOTIF_SET_FLAGS, since Linux 6.6
	syncWakeUp    = 1
	flagContinue  = 1 // SECCOMP_USER_NOTIF_FLAG_CONTINUE
)

// call is struct seccomp_notif: a system call that a thread of the emulator waits in.
type call struct {
	id    uint64
	tid   uint32
	flags uint32
	nr    int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

// answer is struct seccomp_notif_resp, but for the id.
type answer struct {
	value    int64
	errno    unix.Errno
	goAhead  bool // make the call as if nothing had been
	answered bool
}

func result(v int64) answer           { return answer{value: v, answered: true} }
func failure(errno unix.Errno) answer { return answer{errno: errno, answered: true} }
func goAhead() answer                 { return answer{goAhead: true, answered: true} }

// receive gets the next call; the error is ENOENT if the thread that made it was interrupted meanwhile.
func receive(listener int) (c call, err error) {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), ioctlReceive, uintptr(unsafe.Pointer(&c))); errno != 0 {
		return c, errno
	}
	return c, nil
}

// send lets a call return; a thread that was interrupted meanwhile comes again by itself.
func send(listener int, id uint64, a answer) error {
	var b [24]byte
	binary.NativeEndian.PutUint64(b[:], id)
	binary.NativeEndian.PutUint64(b[8:], uint64(a.value))
	binary.NativeEndian.PutUint32(b[16:], uint32(-int32(a.errno)))
	if a.goAhead {
		binary.NativeEndian.PutUint32(b[20:], flagContinue)
	}
	errno := unix.EINTR // by a signal that this program gets
	for errno == unix.EINTR {
		_, _, errno = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), ioctlSend, uintptr(unsafe.Pointer(&b[0])))
	}
	if errno != 0 && errno != unix.ENOENT {
		return fmt.Errorf("machine: answering a system call: %w", errno)
	}
	return nil
}

// quicker has the kernel hand the processor over at once where it can.
func quicker(listener int) {
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), ioctlSetFlags, syncWakeUp)
}

// poll looks for up to so many ms which files are ready. A signal that this program gets, as those with which Go's
// runtime interrupts goroutines, does not end it: it would look as if a file were ready, or none.
func poll(files []unix.PollFd, ms int) (n int, err error) {
	for ; ; ms = max(0, ms-1) { // signals that come all the time do not make it last
		if n, err = unix.Poll(files, ms); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

// read copies bytes out of a program's memory, as the emulator has it.
func read(tid int, at uint64, to []byte) error {
	n, err := unix.ProcessVMReadv(tid, []unix.Iovec{vector(to)}, []unix.RemoteIovec{{Base: uintptr(at), Len: len(to)}}, 0)
	return whole(n, len(to), err)
}

// write copies bytes into it.
func write(tid int, at uint64, from []byte) error {
	n, err := unix.ProcessVMWritev(tid, []unix.Iovec{vector(from)}, []unix.RemoteIovec{{Base: uintptr(at), Len: len(from)}}, 0)
	return whole(n, len(from), err)
}

func vector(b []byte) (v unix.Iovec) {
	if len(b) > 0 {
		v.Base = &b[0]
	}
	v.SetLen(len(b))
	return v
}

func whole(n, want int, err error) error {
	if err == nil && n < want {
		err = unix.EFAULT
	}
	return err
}
