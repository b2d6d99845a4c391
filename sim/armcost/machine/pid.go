// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import "golang.org/x/sys/unix"

// The programs of a machine have process numbers of their own, so that no number of this computer is an input of a run:
// formatting a number takes longer the more digits it has. Program n has the number firstPID + n, is the leader of a
// process group and of a session with that number, and a child of process 1, as a service of systemd is. Other processes
// do not exist: process 1 answers EPERM to signals, every other number ESRCH, and no call reaches a process outside of
// the machine.
//
// These numbers hold for getpid, getppid, getpgrp, getpgid, getsid, setpgid and setsid, for kill, tkill, tgkill,
// rt_sigqueueinfo and rt_tgsigqueueinfo (signals.go), for sched_* with a process number, getpriority, setpriority,
// prlimit64 and fcntl with F_SETOWN (processes.go). pidfd_open, pidfd_send_signal and pidfd_getfd fail with ENOSYS,
// F_SETOWN_EX with EINVAL, ioctl with FIOSETOWN, SIOCSPGRP and TIOCSPGRP with EPERM, and SIGSTOP with EPERM: a stopped
// program would stand still outside of simulated time, so SIGTSTP, SIGTTIN and SIGTTOU do not stop one either.
//
// This computer's numbers are still seen as numbers of threads (gettid, the values of set_tid_address and clone, futexes
// of robust and of priority inheriting mutexes), which calls accept where they accept a process; in /proc, where
// /proc/self is the emulator; as si_pid of a signal that was sent by kill, tkill or tgkill (it is the simulator's; that
// of sigqueue is the sender's own); and in F_GETOWN, F_GETLK, SO_PEERCRED and the status of System V IPC.

// firstPID + n is the process number of a machine's program n, as FIRST_PID in plugin/core.h.
const firstPID = 1000

// initPID is the number of the process that started the programs.
const initPID = 1

// virtualPID is the process number of a program.
func (p *program) virtualPID() int32 { return firstPID + int32(p.number) }

// process is a program that has not ended, as its machine's programs name it, and as this computer does.
type process struct {
	number int32
	host   int32
}

// processes is what a program can name by a number.
type processes struct {
	self    int32           // the number of the program that makes the call
	alive   []process       // in the order of their start
	threads map[int32]int32 // process numbers by this computer's number of a thread
}

// processes returns what a program can name.
func (m *Machine) processes(self *program) processes {
	ps := processes{self: self.virtualPID(), threads: map[int32]int32{}}
	for _, p := range m.programs {
		if !p.over {
			ps.alive = append(ps.alive, process{p.virtualPID(), int32(p.pid())})
		}
	}
	for _, t := range m.order {
		ps.threads[int32(t.tid)] = t.p.virtualPID()
	}
	return ps
}

// numbered returns the program with a process number.
func (ps processes) numbered(pid int32) (process, bool) {
	for _, p := range ps.alive {
		if p.number == pid {
			return p, true
		}
	}
	return process{}, false
}

// named returns the program that a call names: by its number, or by that of one of its threads.
func (ps processes) named(pid int32) (process, bool) {
	if p, ok := ps.numbered(pid); ok {
		return p, true
	}
	return ps.numbered(ps.threads[pid])
}

// program returns the machine's program with a process number.
func (m *Machine) program(number int32) *program {
	for _, p := range m.programs {
		if p.virtualPID() == number {
			return p
		}
	}
	return nil
}

// leader answers getpgid and getsid: every process leads a group and a session of its own.
func (ps processes) leader(pid int32) answer {
	switch p, ok := ps.named(pid); {
	case pid == 0:
		return result(int64(ps.self))
	case pid == initPID:
		return result(initPID)
	case ok:
		return result(int64(p.number))
	}
	return failure(unix.ESRCH)
}

// setGroup answers setpgid, which the leader of a session can't do, nor anyone for a process that is not its child.
func (ps processes) setGroup(pid, group int32) answer {
	p, _ := ps.named(pid)
	switch {
	case group < 0:
		return failure(unix.EINVAL)
	case pid == 0 || p.number == ps.self:
		return failure(unix.EPERM)
	}
	return failure(unix.ESRCH)
}
