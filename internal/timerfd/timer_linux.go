// SPDX-License-Identifier: Apache-2.0

package timerfd

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Timer fires once after each start. Any goroutine may restart it: it takes no lock, makes one system call that
// does not wait and allocates nothing.
type Timer struct {
	file  *os.File
	raw   syscall.RawConn
	c     chan time.Time
	after atomic.Int64 // ns from now on, 0 for never
	ran   atomic.Bool  // when it was last set
	set   func(fd uintptr)
	done  chan struct{}
}

// New starts a timer that fires after d. It belongs to who made it until Stop. The error is that of the system, which
// may have no file descriptors left.
func New(d time.Duration) (*Timer, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("timerfd_create", err)
	}
	t := &Timer{file: os.NewFile(uintptr(fd), "timer"), c: make(chan time.Time, 1), done: make(chan struct{})}
	if t.raw, err = t.file.SyscallConn(); err != nil {
		_ = t.file.Close()
		return nil, err
	}
	t.set = t.settime
	t.Reset(d)
	task.Go("timer of the kernel", t.pass)
	return t, nil
}

// C is where it fires. What is received there is no time, and may be of an expiry before the timer was restarted: look
// at the clock.
func (t *Timer) C() <-chan time.Time { return t.c }

// Done is closed after Stop, when nothing is left of the timer.
func (t *Timer) Done() <-chan struct{} { return t.done }

// Reset restarts the timer; it reports whether it was running.
func (t *Timer) Reset(d time.Duration) bool {
	t.after.Store(int64(max(d, 1)))
	return t.call()
}

// Stop ends the timer for good; it reports whether it was running.
func (t *Timer) Stop() bool {
	t.after.Store(0)
	ran := t.call()
	_ = t.file.Close() // fails if it was stopped before
	return ran
}

func (t *Timer) call() bool {
	return t.raw.Control(t.set) == nil && t.ran.Load()
}

// settime sets the kernel's timer to the latest request. Of two goroutines the later one may do so for both.
func (t *Timer) settime(fd uintptr) {
	next := unix.ItimerSpec{Value: unix.NsecToTimespec(t.after.Load())}
	var before unix.ItimerSpec
	err := unix.TimerfdSettime(int(fd), 0, &next, &before)
	t.ran.Store(err == nil && unix.TimespecToNsec(before.Value) > 0)
}

// fired reads how often the timer has fired since the last call, and reports whether it has.
func (t *Timer) fired(fd uintptr) bool {
	var times uint64
	n, _, _ := unix.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&times)), unsafe.Sizeof(times))
	return n == unsafe.Sizeof(times)
}

// pass sends to the channel when the timer has fired, until Stop.
func (t *Timer) pass() {
	defer close(t.done)
	_ = t.raw.Read(func(fd uintptr) bool { // it ends with the file
		if t.fired(fd) {
			select {
			case t.c <- time.Time{}:
			default:
			}
		}
		return false
	})
}
