// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// slowCall is how long a call that does not wait may take. On a busy machine other programs run meanwhile, too.
	slowCall = 5 * time.Millisecond
	// slowTime is how long the runtime is told of calls after one that took longer.
	slowTime = time.Minute
)

// pace makes system calls that do not wait. The runtime is not told of them: that wakes its monitor thread, at twice
// the price of the control cycle's own wake-up. For as long as it takes, a call that it does not know of keeps a
// processor, on the robot the only one, from the goroutine that stops the wheels. The kernel does not sleep in such a
// call but for memory, as with each page that any goroutine touches. Where a call takes long all the same, the runtime
// is told of those that follow, so that a kernel in trouble holds up the program once a minute at most.
type pace struct {
	slow  bool
	until time.Time // it is

	// Tests have others.
	now func() time.Time
	raw func(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err unix.Errno)
	// known is raw with the runtime's knowledge
	known func(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err unix.Errno)
}

// newPace is one of real calls.
func newPace() pace { return pace{now: time.Now, raw: unix.RawSyscall6, known: unix.Syscall6} }

// call makes sendmmsg or recvmmsg. told has the runtime told of it in any case.
func (p *pace) call(trap, fd uintptr, list []messageHeader, told bool) (int, unix.Errno) {
	first, n := uintptr(unsafe.Pointer(unsafe.SliceData(list))), uintptr(len(list))
	began := p.now()
	if p.slow = p.slow && began.Before(p.until); p.slow || told {
		got, _, err := p.known(trap, fd, first, n, unix.MSG_DONTWAIT, 0, 0)
		return int(got), err
	}
	got, _, err := p.raw(trap, fd, first, n, unix.MSG_DONTWAIT, 0, 0)
	if end := p.now(); end.Sub(began) > slowCall {
		p.slow, p.until = true, end.Add(slowTime)
	}
	return int(got), err
}
