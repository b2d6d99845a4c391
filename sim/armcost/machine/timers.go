// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// timer is a program's timerfd. When its simulated time is reached the kernel's own timer is made to fire, so that the
// file can be read and poll reports it.
type timer struct {
	p        *program
	fd       int // the program's
	own      int // the same file here
	at       ticks
	interval ticks
	count    uint64 // times that it fired since it was read
}

// timerOf finds the timer behind a file of a program.
func (m *Machine) timerOf(p *program, fd int) *timer {
	for _, tm := range m.timers {
		if tm.p == p && tm.fd == fd && p.isTimer(fd) && p.has(fd, tm.own) {
			return tm
		}
	}
	return nil
}

func (p *program) isTimer(fd int) bool {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", p.pid(), fd))
	return err == nil && name == "anon_inode:[timerfd]"
}

// compareFiles is KCMP_FILE of the kernel's include/uapi/linux/kcmp.h.
const compareFiles = 0

// has reports whether a file of the program is this one of ours: it may have closed its own and got the number again. A
// kernel that can't report it is assumed to be right.
func (p *program) has(fd, own int) bool {
	differ, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(p.pid()), uintptr(os.Getpid()), compareFiles, uintptr(fd), uintptr(own), 0)
	return errno != 0 || differ == 0
}

// clockOf is the clock that a program's timer goes by.
func (p *program) clockOf(fd int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", p.pid(), fd))
	if err != nil {
		return unix.CLOCK_MONOTONIC
	}
	var clock int
	var rest string
	for line := range lines(data) {
		if n, _ := fmt.Sscanf(line, "clockid: %d%s", &clock, &rest); n >= 1 {
			return clock
		}
	}
	return unix.CLOCK_MONOTONIC
}

// setTimer is timerfd_settime.
func (m *Machine) setTimer(t *thread, c *call) (answer, error) {
	fd := int(c.args[0])
	tm := m.timerOf(t.p, fd)
	if tm == nil {
		if !t.p.isTimer(fd) {
			return goAhead(), nil
		}
		m.forgetTimer(t.p, fd)
		own, err := t.p.file(fd)
		if err != nil {
			return failure(unix.EBADF), nil //nolint:nilerr // the program's mistake
		}
		tm = &timer{p: t.p, fd: fd, own: own, at: farAway}
		m.timers = append(m.timers, tm)
	}
	interval, err1 := timespec(t.tid, c.args[2])
	first, err2 := timespec(t.tid, c.args[2]+16)
	if err := errors.Join(err1, err2); err != nil {
		return mistake(err), nil
	}
	if err := m.writeOld(t, tm, c.args[3]); err != nil {
		return failure(unix.EFAULT), nil //nolint:nilerr // the program's mistake
	}
	tm.count, tm.interval, tm.at = 0, m.ticks(interval), farAway
	switch {
	case first == 0:
	case c.args[1]&unix.TFD_TIMER_ABSTIME != 0:
		tm.at = m.ticks(m.since(t.p.clockOf(fd), first))
	default:
		tm.at = m.now() + m.ticks(first)
	}
	return result(0), unix.TimerfdSettime(tm.own, 0, &unix.ItimerSpec{}, nil)
}

// writeOld writes what a timer was set to, where the program wants to know.
func (m *Machine) writeOld(t *thread, tm *timer, at uint64) error {
	if at == 0 {
		return nil
	}
	h := m.core.header()
	var b [32]byte
	put := func(to []byte, d time.Duration) {
		binary.NativeEndian.PutUint64(to, uint64(d/time.Second))
		binary.NativeEndian.PutUint64(to[8:], uint64(d%time.Second))
	}
	put(b[:], h.duration(tm.interval))
	if tm.at != farAway {
		put(b[16:], h.duration(tm.at-min(tm.at, m.now())))
	}
	return write(t.tid, at, b[:])
}

// expire fires the timers whose time is reached.
func (tm *timer) expire(m *Machine, now ticks) error {
	if tm.at > now {
		return nil
	}
	if tm.interval == 0 {
		tm.count++
		tm.at = farAway
	} else {
		n := (now-tm.at)/tm.interval + 1
		tm.count += uint64(n)
		tm.at += n * tm.interval
	}
	if t := m.reader(tm); t != nil {
		m.wake(t, result(8))
		t.due = now
		return tm.wake(t, t.buffer)
	}
	if err := unix.TimerfdSettime(tm.own, 0, &unix.ItimerSpec{Value: unix.Timespec{Nsec: 1}}, nil); err != nil {
		return err
	}
	fds := []unix.PollFd{{Fd: int32(tm.own), Events: unix.POLLIN}}
	_, err := poll(fds, 1000) // it fires at once
	return err
}

// reader is who has waited longest to read a timer.
func (m *Machine) reader(tm *timer) (longest *thread) {
	for _, t := range m.order {
		if t.state == blocked && t.wait.timer == tm && (longest == nil || t.turn < longest.turn) {
			longest = t
		}
	}
	return longest
}

// readTimer is read of a timer, of so many bytes.
func (m *Machine) readTimer(t *thread, tm *timer, at, size uint64) (answer, error) {
	if size < 8 {
		return failure(unix.EINVAL), nil
	}
	if tm.count > 0 {
		return result(8), tm.wake(t, at)
	}
	if mode, err := unix.FcntlInt(uintptr(tm.own), unix.F_GETFL, 0); err != nil || mode&unix.O_NONBLOCK != 0 {
		return failure(unix.EAGAIN), err
	}
	m.waited++
	t.buffer, t.turn = at, m.waited
	t.block(wait{deadline: farAway, timer: tm})
	return answer{}, nil
}

// wake writes how often it fired.
func (tm *timer) wake(t *thread, at uint64) error {
	var b [8]byte
	binary.NativeEndian.PutUint64(b[:], tm.count)
	tm.count = 0
	if err := write(t.tid, at, b[:]); err != nil {
		return err
	}
	return unix.TimerfdSettime(tm.own, 0, &unix.ItimerSpec{}, nil)
}

// forgetTimer removes a timer whose file the program has closed.
func (m *Machine) forgetTimer(p *program, fd int) {
	kept := m.timers[:0]
	for _, tm := range m.timers {
		if tm.p == p && (tm.fd == fd || fd < 0) {
			_ = unix.Close(tm.own)
			continue
		}
		kept = append(kept, tm)
	}
	m.timers = kept
}
