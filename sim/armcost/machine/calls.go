// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// What the plugin asks, by a call that no kernel has: see plugin/core.h.
const (
	asking = 0x45500

	askGive = iota - 1
	askCloned
	askSignalled
	askEnds
	askDevice
	askSignals
)

// handle answers a call, or blocks its thread.
func (m *Machine) handle(p *program, c *call) error {
	t := m.threads[int(c.tid)]
	if c.nr == asking && c.args[0] == askGive {
		m.requestCore(p, t, c)
		return nil
	}
	if t == nil { // the emulator's own, before the program begins
		return send(p.listener, c.id, goAhead())
	}
	if t.state == running {
		if err := m.awaitDetached(); err != nil { // detached threads request the core again before anything depends on them
			return err
		}
		defer func() { p.coreRequestsBefore = p.coreRequests }()
	} else { // a signal interrupted what it had waited in
		t.unwait()
	}
	held := t.state
	t.call, t.inCode = c.id, c.nr == asking
	a, err := m.decide(t, c)
	switch {
	case err != nil:
		return err
	case !a.answered: // it waits
		if held != running {
			return nil
		}
	case held == running && m.preempts(t):
		t.state, t.reply = ready, a
	default:
		return m.answer(t, a)
	}
	return nil
}

// requestCore records that a thread requests the core; nil is a new one.
func (m *Machine) requestCore(p *program, t *thread, c *call) {
	if t == nil {
		t = &thread{p: p, tid: int(c.tid), virtual: m.floor}
		m.threads[t.tid] = t
		m.order = append(m.order, t)
	}
	p.coreRequests++
	t.unwait()
	t.id = uint32(c.args[1])
	t.call, t.inCode, t.state, t.reply = c.id, true, ready, result(0)
}

// preempts reports whether another thread, woken by this call, takes the core from a thread.
func (m *Machine) preempts(t *thread) bool {
	had := t.virtual + m.now() - m.from
	for _, o := range m.order {
		if o.state == ready && o.virtual+m.ticks(granularity) < had {
			return true
		}
	}
	return false
}

// decide answers a call; no answer is that its thread was made to wait.
func (m *Machine) decide(t *thread, c *call) (answer, error) {
	switch c.nr {
	case asking:
		return m.answerPlugin(t, c)
	case unix.SYS_FUTEX:
		return m.futex(t, c), nil
	case unix.SYS_SCHED_YIELD:
		if !m.contended(t) {
			return result(0), nil
		}
		t.virtual = max(t.virtual, m.floor) + m.ticks(granularity)
		t.state, t.reply, m.sliceEnd = ready, result(0), m.now()
		return answer{}, nil
	case unix.SYS_NANOSLEEP:
		return m.sleep(t, c.args[0], false, unix.CLOCK_MONOTONIC)
	case unix.SYS_CLOCK_NANOSLEEP:
		return m.sleep(t, c.args[2], c.args[1]&unix.TIMER_ABSTIME != 0, int(c.args[0]))
	case unix.SYS_EPOLL_PWAIT, sysEpollWait:
		return m.wait(t, []unix.PollFd{{Fd: int32(c.args[0]), Events: unix.POLLIN}}, milliseconds(c.args[3]), nil)
	case unix.SYS_PPOLL:
		d, err := m.timeout(t, c.args[2])
		if err != nil {
			return mistake(err), nil
		}
		return m.poll(t, c.args[0], c.args[1], d)
	case sysPoll:
		return m.poll(t, c.args[0], c.args[1], milliseconds(c.args[2]))
	case unix.SYS_PSELECT6, sysSelect:
		return failure(unix.ENOSYS), nil
	case unix.SYS_TIMERFD_SETTIME:
		return m.setTimer(t, c)
	case unix.SYS_READ, unix.SYS_READV:
		if tm := m.timerOf(t.p, int(c.args[0])); tm != nil && c.nr == unix.SYS_READ {
			return m.readTimer(t, tm, c.args[1], c.args[2])
		}
		return m.input(t, int(c.args[0]), 0)
	case unix.SYS_RECVFROM:
		return m.input(t, int(c.args[0]), c.args[3])
	case unix.SYS_RECVMSG:
		return m.input(t, int(c.args[0]), c.args[2])
	case unix.SYS_RECVMMSG:
		return m.input(t, int(c.args[0]), c.args[3])
	case unix.SYS_ACCEPT, unix.SYS_ACCEPT4:
		return m.input(t, int(c.args[0]), 0)
	case unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_BIND, unix.SYS_CONNECT:
		return m.send(t, c)
	}
	return m.decideProcess(t, c)
}

// decideProcess answers a call that names a process.
func (m *Machine) decideProcess(t *thread, c *call) (answer, error) {
	first, second := int32(uint32(c.args[0])), int32(uint32(c.args[1]))
	switch c.nr {
	case unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO:
		return m.sendSignal(t, c)
	case unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PIDFD_GETFD:
		return failure(unix.ENOSYS), nil
	case unix.SYS_GETPGID, unix.SYS_GETSID:
		return m.processes(t.p).leader(first), nil
	case unix.SYS_SETPGID:
		return m.processes(t.p).setGroup(first, second), nil
	case unix.SYS_SETSID:
		return failure(unix.EPERM), nil // it leads one
	case unix.SYS_GETPRIORITY, unix.SYS_SETPRIORITY:
		return m.priority(t, c), nil
	case unix.SYS_FCNTL:
		if second == unix.F_SETOWN {
			return m.setOwner(t, c)
		}
	}
	if _, ok := buffersOf(c); ok {
		return m.aboutProcess(t, c), nil
	}
	return goAhead(), nil
}

// answerPlugin answers a request of the plugin.
func (m *Machine) answerPlugin(t *thread, c *call) (answer, error) {
	switch c.args[0] {
	case askCloned:
		return result(0), m.awaitThread(t.p, int(c.args[1]))
	case askSignals:
		t.signals = true
		return result(0), nil
	case askSignalled:
		if !t.signalled {
			return result(0), nil
		}
		t.signalled = false
		return result(0), m.awaitDelivery(t.p, t.p.coreRequestsBefore, ownDeliveryTimeout)
	case askEnds:
		id := t.call
		t.call = 0
		if err := send(t.p.listener, id, result(0)); err != nil {
			return answer{}, err
		}
		return answer{}, m.awaitExit(t)
	case askDevice:
		return m.device(t, int(c.args[1]), uint32(c.args[2]), uint32(c.args[3])), nil
	}
	return failure(unix.ENOSYS), nil
}

// awaitThread waits until a thread that was just created requests the core.
func (m *Machine) awaitThread(p *program, tid int) error {
	for begun := time.Now(); m.threads[tid] == nil && !p.over; {
		if time.Since(begun) > time.Minute {
			return fmt.Errorf("%w: thread %d was created and does not start", errStuck, tid)
		}
		if err := m.pollCalls(p); err != nil {
			return err
		}
	}
	return nil
}

// How long the delivery of a signal may take, in this computer's time, during which simulated time is stopped: of a
// signal of another thread of the program, which may be ignored, and of one from outside. On a busy computer it may take
// longer, until all threads of the program wait in system calls and none has a pending signal.
const (
	ownDeliveryTimeout     = 200 * time.Millisecond
	outsideDeliveryTimeout = 5 * time.Second
	deliveryLimit          = time.Minute
)

// awaitDelivery waits until a signal that was just sent is delivered: its thread then requests the core, so the program has
// more requests than before. It returns after limit, too, if the program is quiescent.
func (m *Machine) awaitDelivery(p *program, before int, limit time.Duration) error {
	for begun := time.Now(); p.coreRequests == before && !p.over; {
		if past := time.Since(begun); past >= deliveryLimit || past >= limit && p.quiescent() {
			return nil
		}
		if err := m.pollCalls(p); err != nil {
			return err
		}
	}
	return nil
}

// quiescent reports whether all threads of a program wait in system calls and none has a pending signal that
// it does not block.
func (p *program) quiescent() bool {
	return p.inCalls() && p.every("status", func(status []byte) bool {
		pending := maskOf(status, "SigPnd") | maskOf(status, "ShdPnd")
		blocked := maskOf(status, "SigBlk") // a blocked signal stays pending, as for signalfd
		return pending&^blocked == 0
	})
}

// maskOf returns a set of signals of /proc/PID/status, signal 1 in the lowest bit, or 0 without it.
func maskOf(status []byte, name string) uint64 {
	for line := range lines(status) {
		if n, mask, _ := strings.Cut(strings.TrimSpace(line), ":"); n == name {
			bits, _ := strconv.ParseUint(strings.TrimSpace(mask), 16, 64) // 0 if it is no mask
			return bits
		}
	}
	return 0
}

// inCalls reports whether all threads of a program wait in system calls: none runs, or would if a processor were free,
// or waits for memory.
func (p *program) inCalls() bool {
	return p.every("syscall", func(where []byte) bool {
		return !strings.HasPrefix(string(where), "running") && !strings.HasPrefix(string(where), "-1")
	})
}

// every reports whether a file in /proc of each thread is as wanted. What this computer does not say is.
func (p *program) every(file string, wanted func([]byte) bool) bool {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", p.pid()))
	if err != nil {
		return true // it has ended
	}
	for _, t := range threads {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/%s", p.pid(), t.Name(), file))
		if err == nil && !wanted(data) {
			return false
		}
	}
	return true
}

// awaitExit waits until a thread has ended.
func (m *Machine) awaitExit(t *thread) error {
	for begun := time.Now(); !t.p.over; {
		if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", t.p.pid(), t.tid)); err != nil {
			break
		}
		if time.Since(begun) > time.Minute {
			return fmt.Errorf("%w: thread %d ends for a minute", errStuck, t.tid)
		}
		t.state = detached // its last calls are answered at once
		if err := m.pollCalls(t.p); err != nil {
			return err
		}
	}
	m.forget(t)
	return nil //nolint:nilerr // a thread that is not there has ended
}

// pollCalls waits up to a millisecond for calls of a program's threads, and handles them.
func (m *Machine) pollCalls(p *program) error {
	fds := []unix.PollFd{{Fd: int32(p.listener), Events: unix.POLLIN}}
	if n, err := poll(fds, 1); err != nil || n == 0 {
		return err
	}
	return m.handleCalls(p, nil)
}

// milliseconds is a time-out as an int of ms; below 0 is none.
func milliseconds(arg uint64) time.Duration {
	if ms := int32(uint32(arg)); ms >= 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return -1
}

// mistake is the answer to a call with a bad address, or with what is no time there.
func mistake(err error) answer {
	if errors.Is(err, unix.EINVAL) {
		return failure(unix.EINVAL)
	}
	return failure(unix.EFAULT)
}

// timespec reads a struct timespec of the emulator; EINVAL is that it is no time.
func timespec(tid int, at uint64) (time.Duration, error) {
	var b [16]byte
	if err := read(tid, at, b[:]); err != nil {
		return 0, err
	}
	seconds, ns := int64(binary.NativeEndian.Uint64(b[:])), int64(binary.NativeEndian.Uint64(b[8:]))
	if seconds < 0 || ns < 0 || ns >= int64(time.Second) {
		return 0, unix.EINVAL
	}
	return time.Duration(min(seconds, 9e9))*time.Second + time.Duration(ns), nil
}

// timeout reads one that may be missing; −1 is none.
func (m *Machine) timeout(t *thread, at uint64) (time.Duration, error) {
	if at == 0 {
		return -1, nil
	}
	return timespec(t.tid, at)
}

// since is a time of one of the machine's clocks as simulated time.
func (m *Machine) since(clock int, at time.Duration) time.Duration {
	if clock == unix.CLOCK_REALTIME {
		return at - time.Duration(m.core.header().start)
	}
	return at - bootTime
}

// sleep is nanosleep and its like.
func (m *Machine) sleep(t *thread, at uint64, absolute bool, clock int) (answer, error) {
	d, err := timespec(t.tid, at)
	if err != nil {
		return mistake(err), nil
	}
	deadline := m.now() + m.ticks(d)
	if absolute {
		deadline = m.ticks(m.since(clock, d))
	}
	t.block(wait{deadline: deadline, expired: result(0), timed: true})
	return answer{}, nil
}

// wait lets a thread wait for files of its own, for up to d, below 0 without an end.
func (m *Machine) wait(t *thread, files []unix.PollFd, d time.Duration, zero []span) (answer, error) {
	if d == 0 {
		return goAhead(), nil
	}
	w := wait{deadline: farAway, expired: result(0), zero: zero}
	if d > 0 {
		w.deadline, w.timed = m.now()+m.ticks(d), true
	}
	for _, f := range files {
		if f.Fd < 0 {
			continue
		}
		own, err := t.p.file(int(f.Fd))
		if err != nil {
			return goAhead(), closeAll(w.files) // the kernel says what is wrong with it
		}
		w.files = append(w.files, unix.PollFd{Fd: int32(own), Events: f.Events})
	}
	if n, err := poll(w.files, 0); n != 0 {
		return goAhead(), joined(err, closeAll(w.files))
	}
	t.block(w)
	return answer{}, nil
}

func joined(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func closeAll(files []unix.PollFd) error {
	for _, f := range files {
		if err := unix.Close(int(f.Fd)); err != nil {
			return err
		}
	}
	return nil
}

const maxPolled = 1024

// poll is poll and ppoll: an array of struct pollfd.
func (m *Machine) poll(t *thread, at, n uint64, d time.Duration) (answer, error) {
	if n > maxPolled {
		return failure(unix.EINVAL), nil
	}
	b := make([]byte, 8*n)
	if err := read(t.tid, at, b); err != nil {
		return failure(unix.EFAULT), nil //nolint:nilerr // the program's mistake
	}
	var files []unix.PollFd
	var zero []span
	for i := uint64(0); i < n; i++ {
		files = append(files, unix.PollFd{
			Fd: int32(binary.NativeEndian.Uint32(b[8*i:])), Events: int16(binary.NativeEndian.Uint16(b[8*i+4:])),
		})
		zero = append(zero, span{at + 8*i + 6, 2})
	}
	return m.wait(t, files, d, zero)
}

// input is a call that waits for something to read, unless its file or its flags say otherwise.
func (m *Machine) input(t *thread, fd int, flags uint64) (answer, error) {
	if flags&unix.MSG_DONTWAIT != 0 {
		return goAhead(), nil
	}
	own, err := t.p.file(fd)
	if err != nil {
		return goAhead(), nil //nolint:nilerr // the kernel says what is wrong with it
	}
	mode, err := unix.FcntlInt(uintptr(own), unix.F_GETFL, 0)
	if err != nil || mode&unix.O_NONBLOCK != 0 {
		return goAhead(), joined(err, unix.Close(own))
	}
	if err := unix.Close(own); err != nil {
		return answer{}, err
	}
	return m.wait(t, []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1, nil)
}
