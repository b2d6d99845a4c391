// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// firstPID precedes the process number that getpid returns to the first program of a machine, as FIRST_PID in
// plugin/core.h. That of this computer would be an input of programs: formatting a number takes longer the more
// digits it has.
const firstPID = 1000

// virtualPID is the process number that getpid returns to a program.
func (p *program) virtualPID() int32 { return firstPID + int32(p.number) }

// kill is kill and tgkill: what a program sends to its own process number goes to its process on this computer.
func (m *Machine) kill(t *thread, c *call) (answer, error) {
	if int32(uint32(c.args[0])) != t.p.virtualPID() {
		return goAhead(), nil
	}
	send := func() error { return unix.Kill(t.p.pid(), syscall.Signal(c.args[1])) }
	self := true // a signal to the process may be delivered to any thread
	if c.nr == unix.SYS_TGKILL {
		tid := int(int32(uint32(c.args[1])))
		send = func() error { return unix.Tgkill(t.p.pid(), tid, syscall.Signal(c.args[2])) }
		self = tid == t.tid
	}
	if !self {
		return killed(send()), nil
	}
	if err := m.answer(t, result(0)); err != nil { // a signal would interrupt the call, which would be made again
		return answer{}, err
	}
	if err := send(); err != nil && !errors.Is(err, unix.ESRCH) {
		return answer{}, err
	}
	return answer{}, nil
}

// killed is the answer of a call that sends a signal.
func killed(err error) answer {
	if errno := unix.Errno(0); errors.As(err, &errno) {
		return failure(errno)
	}
	return result(0)
}
