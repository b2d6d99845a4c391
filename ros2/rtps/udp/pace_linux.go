// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// slowCall is the longest expected time of a non-blocking call. On a busy machine other programs run meanwhile,
	// too.
	slowCall = 5 * time.Millisecond
	// slowTime is how long calls are made through the runtime after one that took longer.
	slowTime = time.Minute
)

// pace makes non-blocking system calls without informing Go's runtime, which would wake its monitor thread, at twice
// the cost of the control cycle's own wake-up. While such a raw call runs, the runtime cannot schedule the goroutine
// that stops the wheels on the robot's only processor. The kernel sleeps in such a call only for memory, as on any page
// fault. If a call takes long nevertheless, those that follow are made through the runtime, so that a slow kernel
// blocks the program at most once a minute.
type pace struct {
	slow  bool
	until time.Time // calls are made through the runtime

	// Tests replace these.
	now func() time.Time
	raw func(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err unix.Errno)
	// throughRuntime is raw through the runtime
	throughRuntime func(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err unix.Errno)
}

// newPace returns a pace with real calls.
func newPace() pace { return pace{now: time.Now, raw: unix.RawSyscall6, throughRuntime: unix.Syscall6} }

// call calls sendmmsg or recvmmsg; always through the runtime if throughRuntime is set.
func (p *pace) call(trap, fd uintptr, list []messageHeader, throughRuntime bool) (int, unix.Errno) {
	first, n := uintptr(unsafe.Pointer(unsafe.SliceData(list))), uintptr(len(list))
	began := p.now()
	if p.slow = p.slow && began.Before(p.until); p.slow || throughRuntime {
		got, _, err := p.throughRuntime(trap, fd, first, n, unix.MSG_DONTWAIT, 0, 0)
		return int(got), err
	}
	got, _, err := p.raw(trap, fd, first, n, unix.MSG_DONTWAIT, 0, 0)
	if end := p.now(); end.Sub(began) > slowCall {
		p.slow, p.until = true, end.Add(slowTime)
	}
	return int(got), err
}
