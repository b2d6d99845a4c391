// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"encoding/binary"
	"errors"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// buffer is memory that a call reads, writes, or both.
type buffer struct {
	arg  int // the argument with its address
	size int // in bytes
	sent bool
	got  bool
}

// The sizes of struct sched_param, rlimit64 and timespec, and the most of a processor mask and of sched_attr.
const (
	schedParamSize = 4
	rlimitSize     = 16
	timespecSize   = 16
	maxCallBuffer  = 4096
)

// buffersOf are those of a call about a process; ok is whether it is one whose first argument is a process.
func buffersOf(c *call) (all []buffer, ok bool) {
	sized := func(arg int) int { return int(min(uint64(uint32(c.args[arg])), maxCallBuffer)) }
	switch c.nr {
	case unix.SYS_SCHED_GETSCHEDULER:
		return nil, true
	case unix.SYS_SCHED_SETSCHEDULER:
		return []buffer{{arg: 2, size: schedParamSize, sent: true}}, true
	case unix.SYS_SCHED_GETPARAM:
		return []buffer{{arg: 1, size: schedParamSize, got: true}}, true
	case unix.SYS_SCHED_SETPARAM:
		return []buffer{{arg: 1, size: schedParamSize, sent: true}}, true
	case unix.SYS_SCHED_RR_GET_INTERVAL:
		return []buffer{{arg: 1, size: timespecSize, got: true}}, true
	case unix.SYS_SCHED_GETAFFINITY:
		return []buffer{{arg: 2, size: sized(1), got: true}}, true
	case unix.SYS_SCHED_SETAFFINITY:
		return []buffer{{arg: 2, size: sized(1), sent: true}}, true
	case unix.SYS_SCHED_GETATTR:
		return []buffer{{arg: 1, size: sized(2), got: true}}, true
	case unix.SYS_SCHED_SETATTR:
		return []buffer{{arg: 1, sent: true}}, true // its first word is its size
	case unix.SYS_PRLIMIT64:
		return []buffer{{arg: 2, size: rlimitSize, sent: true}, {arg: 3, size: rlimitSize, got: true}}, true
	}
	return nil, false
}

// aboutProcess answers a call whose first argument is a process. The kernel answers those about the calling thread, and
// about threads by this computer's numbers.
func (m *Machine) aboutProcess(t *thread, c *call) answer {
	pid := int32(uint32(c.args[0]))
	host, errno := m.processes(t.p).hostOf(pid)
	switch {
	case errno != 0:
		return failure(errno)
	case host == pid:
		return goAhead()
	}
	buffers, _ := buffersOf(c)
	args := c.args
	args[0] = uint64(host)
	return callFor(t.tid, c.nr, args, buffers)
}

// hostOf returns this computer's number for one that a program named; a number that the kernel understands alike, as 0
// for the calling thread or a thread's, is returned as it is.
func (ps processes) hostOf(pid int32) (int32, unix.Errno) {
	if p, ok := ps.numbered(pid); ok {
		return p.host, 0
	}
	switch _, ok := ps.named(pid); {
	case pid <= 0 || ok: // below 0 is none, for the kernel as well
		return pid, 0
	case pid == initPID:
		return 0, unix.EPERM
	}
	return 0, unix.ESRCH
}

// callFor makes a call for a program, with copies of the memory that its arguments point to.
func callFor(tid int, nr int32, args [6]uint64, buffers []buffer) answer {
	var pins runtime.Pinner
	defer pins.Unpin()
	copies := make([][]byte, len(buffers))
	at := make([]uint64, len(buffers))
	for i, b := range buffers {
		if at[i] = args[b.arg]; at[i] == 0 {
			continue
		}
		if b.size == 0 && nr == unix.SYS_SCHED_SETATTR {
			var size [4]byte
			if err := read(tid, at[i], size[:]); err != nil {
				return failure(unix.EFAULT)
			}
			b.size = int(min(binary.NativeEndian.Uint32(size[:]), maxCallBuffer))
		}
		copies[i] = make([]byte, max(b.size, 8)) // the kernel reads the first word of sched_attr at least
		if b.sent {
			if err := read(tid, at[i], copies[i][:b.size]); err != nil {
				return failure(unix.EFAULT)
			}
		}
		pins.Pin(&copies[i][0])
		args[b.arg] = uint64(uintptr(unsafe.Pointer(&copies[i][0])))
	}
	r, _, errno := unix.Syscall6(uintptr(nr), uintptr(args[0]), uintptr(args[1]), uintptr(args[2]), uintptr(args[3]), uintptr(args[4]), uintptr(args[5]))
	if errno != 0 {
		return failure(errno)
	}
	for i, b := range buffers {
		if b.got && copies[i] != nil {
			if err := write(tid, at[i], copies[i][:b.size]); err != nil {
				return failure(unix.EFAULT)
			}
		}
	}
	return result(int64(r))
}

// priority answers getpriority and setpriority. A process group is the process that leads it. Those of all processes of
// a user are read, but not set: they are this computer's.
func (m *Machine) priority(t *thread, c *call) answer {
	ps, args := m.processes(t.p), c.args
	who := int32(uint32(args[1]))
	switch int32(uint32(args[0])) {
	case unix.PRIO_PROCESS:
	case unix.PRIO_PGRP:
		if who == 0 {
			who = ps.self
		}
		if _, ok := ps.numbered(who); !ok {
			return failure(unix.ESRCH)
		}
	case unix.PRIO_USER:
		if c.nr == unix.SYS_SETPRIORITY {
			return failure(unix.EPERM)
		}
		return goAhead()
	default: // a mark for the model, or an error
		return goAhead()
	}
	host, errno := ps.hostOf(who)
	switch {
	case errno != 0:
		return failure(errno)
	case args[0] == unix.PRIO_PROCESS && host == who:
		return goAhead()
	}
	args[0], args[1] = unix.PRIO_PROCESS, uint64(host)
	return callFor(t.tid, c.nr, args, nil)
}

// setOwner answers fcntl with F_SETOWN: who gets the signals of a file.
func (m *Machine) setOwner(t *thread, c *call) (answer, error) {
	owner := int32(uint32(c.args[2]))
	ps := m.processes(t.p)
	p, ok := ps.named(owner)
	if owner < 0 {
		p, ok = ps.numbered(-owner)
	}
	switch {
	case owner == 0:
		return goAhead(), nil
	case !ok:
		return failure(unix.ESRCH), nil
	}
	own, err := t.p.file(int(int32(uint32(c.args[0]))))
	if err != nil {
		return failure(unix.EBADF), nil //nolint:nilerr // the program's mistake
	}
	_, err = unix.FcntlInt(uintptr(own), unix.F_SETOWN, int(p.host))
	if errno := unix.Errno(0); errors.As(err, &errno) {
		return failure(errno), unix.Close(own)
	}
	return result(0), unix.Close(own)
}
