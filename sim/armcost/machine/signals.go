// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxSignal is the highest signal of Linux.
const maxSignal = 64

// signalTarget is what a signal is sent to.
type signalTarget struct {
	process
	thread int32 // this computer's number; 0: the signal is for the process
}

// signalCall is a call that sends a signal, with its arguments.
type signalCall struct {
	process  int32 // that of kill and rt_sigqueueinfo, or the thread group
	thread   int32
	threaded bool // the call names a thread
	grouped  bool // the thread's process is named, too
	queued   bool // the call has a siginfo_t
	signal   int32
	info     uint64 // the address of the siginfo_t
}

// signalCallOf reads the arguments of kill, tkill, tgkill, rt_sigqueueinfo or rt_tgsigqueueinfo.
func signalCallOf(c *call) signalCall {
	a, b, third := int32(uint32(c.args[0])), int32(uint32(c.args[1])), int32(uint32(c.args[2]))
	switch c.nr {
	case unix.SYS_TKILL:
		return signalCall{thread: a, threaded: true, signal: b}
	case unix.SYS_TGKILL:
		return signalCall{process: a, thread: b, threaded: true, grouped: true, signal: third}
	case unix.SYS_RT_TGSIGQUEUEINFO:
		return signalCall{process: a, thread: b, threaded: true, grouped: true, signal: third, queued: true, info: c.args[3]}
	case unix.SYS_RT_SIGQUEUEINFO:
		return signalCall{process: a, signal: b, queued: true, info: c.args[2]}
	}
	return signalCall{process: a, signal: b}
}

// signalTargets returns what a call sends its signal to, or the error number that Linux has for it.
func (ps processes) signalTargets(s signalCall) ([]signalTarget, unix.Errno) {
	targets, errno := ps.processTargets(s)
	if s.threaded {
		targets, errno = ps.threadTarget(s)
	}
	switch {
	case errno != 0 && errno != unix.EPERM: // Linux checks the signal before the permission
		return nil, errno
	case s.signal < 0 || s.signal > maxSignal:
		return nil, unix.EINVAL
	case errno != 0:
		return nil, errno
	case s.signal == int32(unix.SIGSTOP):
		return nil, unix.EPERM
	}
	return targets, 0
}

// processTargets returns the processes that a number means: a process, the own process group (0), all but the caller
// and process 1 (−1), or a process group (below −1).
func (ps processes) processTargets(s signalCall) ([]signalTarget, unix.Errno) {
	pid := s.process
	switch {
	case s.queued && pid <= 0:
		return nil, unix.ESRCH
	case pid == initPID:
		return nil, unix.EPERM
	case pid == 0:
		pid = ps.self
	case pid == -1:
		return ps.others()
	case pid < 0:
		if p, ok := ps.numbered(-pid); ok {
			return []signalTarget{{process: p}}, 0
		}
		return nil, unix.ESRCH
	}
	if p, ok := ps.named(pid); ok {
		return []signalTarget{{process: p}}, 0
	}
	return nil, unix.ESRCH
}

// others returns all programs but the caller.
func (ps processes) others() (targets []signalTarget, errno unix.Errno) {
	for _, p := range ps.alive {
		if p.number != ps.self {
			targets = append(targets, signalTarget{process: p})
		}
	}
	if len(targets) == 0 {
		return nil, unix.ESRCH
	}
	return targets, 0
}

// threadTarget returns the thread that a number means: one of this computer's, or a process number for the first thread
// of a program.
func (ps processes) threadTarget(s signalCall) ([]signalTarget, unix.Errno) {
	if s.thread <= 0 || s.grouped && s.process <= 0 {
		return nil, unix.EINVAL
	}
	p, ok := ps.numbered(ps.threads[s.thread])
	thread := s.thread
	if !ok {
		p, ok = ps.numbered(s.thread)
		thread = p.host
	}
	switch {
	case s.thread == initPID && (!s.grouped || s.process == initPID):
		return nil, unix.EPERM
	case !ok, s.grouped && s.process != p.number && s.process != p.host:
		return nil, unix.ESRCH
	}
	return []signalTarget{{process: p, thread: thread}}, 0
}

// sendSignal answers a call that sends a signal. The signal reaches programs of the machine alone; those that get it
// have noticed it when the call returns.
func (m *Machine) sendSignal(t *thread, c *call) (answer, error) {
	s := signalCallOf(c)
	switch {
	case !t.signals && s.signal == int32(unix.SIGSTOP): // the emulator stops itself
		return result(0), nil
	case !t.signals: // the emulator's own, which ends or aborts itself
		return goAhead(), nil
	}
	t.signals = false
	ps := m.processes(t.p)
	targets, errno := ps.signalTargets(s)
	if errno != 0 {
		return failure(errno), nil
	}
	info, errno := s.infoAt(t.tid)
	if errno != 0 {
		return failure(errno), nil
	}
	if s.signal == 0 {
		return result(0), nil
	}
	for _, to := range targets {
		if to.number == ps.self && (to.thread == 0 || int(to.thread) == t.tid) {
			return answer{}, m.signalCaller(t, to, s, info)
		}
		sent, err := m.signalOther(t, to, s, info)
		switch {
		case err != nil:
			return answer{}, err
		case sent != 0 && len(targets) == 1:
			return failure(sent), nil
		}
	}
	return result(0), nil
}

// signalCaller sends a signal that may be delivered to the calling thread. The call returns before, because the signal
// would interrupt it and it would be made again; an error of the sending, as of a full queue, is lost.
func (m *Machine) signalCaller(t *thread, to signalTarget, s signalCall, info *unix.Siginfo) error {
	t.signalled = true
	if err := m.answer(t, result(0)); err != nil {
		return err
	}
	_ = t.p.signal(to.thread, s.signal, info)
	return nil
}

// signalOther sends a signal to another thread of the caller's program or to another program, and waits until the other
// program has noticed it; for its own the plugin asks for that. The error number is the program's, the error the
// machine's.
func (m *Machine) signalOther(t *thread, to signalTarget, s signalCall, info *unix.Siginfo) (unix.Errno, error) {
	p := m.program(to.number)
	before := p.coreRequests
	if errno := p.signal(to.thread, s.signal, info); errno != 0 {
		return errno, nil
	}
	if p == t.p {
		t.signalled = true
		return 0, nil
	}
	return 0, m.awaitDelivery(p, before, ownDeliveryTimeout)
}

// signal sends a signal to a thread of the program, by this computer's number, or to the program (0).
// One that would stop it is not sent.
func (p *program) signal(thread, number int32, info *unix.Siginfo) unix.Errno {
	var errno unix.Errno
	switch {
	case stops(unix.Signal(number)) && !p.catches(number):
	case thread == 0:
		_, _, errno = unix.Syscall6(unix.SYS_PIDFD_SEND_SIGNAL, uintptr(p.pidfd), uintptr(number), uintptr(unsafe.Pointer(info)), 0, 0, 0)
	case info == nil:
		_, _, errno = unix.Syscall(unix.SYS_TGKILL, uintptr(p.pid()), uintptr(thread), uintptr(number))
	default:
		_, _, errno = unix.Syscall6(unix.SYS_RT_TGSIGQUEUEINFO, uintptr(p.pid()), uintptr(thread), uintptr(number), uintptr(unsafe.Pointer(info)), 0, 0)
	}
	return errno
}

// stops reports whether a signal that is not caught stops a program.
func stops(s unix.Signal) bool { return s == unix.SIGTSTP || s == unix.SIGTTIN || s == unix.SIGTTOU }

// catches reports whether the program has a handler for a signal.
func (p *program) catches(number int32) bool {
	return !p.every("status", func(status []byte) bool {
		return maskOf(status, "SigCgt")>>(number-1)&1 == 0
	})
}

// siTkill is SI_TKILL of the kernel's include/uapi/asm-generic/siginfo.h.
const siTkill = -6

// infoAt reads the siginfo_t of a call; nil is that it has none. The codes of the kernel, of kill and of tkill are
// refused. Linux accepts them of a program that sends to itself alone, but here the simulator is the sender.
func (s signalCall) infoAt(tid int) (*unix.Siginfo, unix.Errno) {
	if !s.queued {
		return nil, 0
	}
	info := new(unix.Siginfo)
	b := (*[unsafe.Sizeof(unix.Siginfo{})]byte)(unsafe.Pointer(info))[:]
	if err := read(tid, s.info, b); err != nil {
		return nil, unix.EFAULT
	}
	if info.Code >= 0 || info.Code == siTkill {
		return nil, unix.EPERM
	}
	info.Signo = s.signal // as the kernel does
	return info, 0
}
