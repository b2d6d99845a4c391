// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// The kernel's include/uapi/linux/futex.h.
const (
	futexWait       = 0
	futexWake       = 1
	futexRequeue    = 3
	futexCmpRequeue = 4
	futexWaitBits   = 9
	futexWakeBits   = 10
	futexOperation  = 0x7f
	futexRealtime   = 0x100
	allBits         = 0xffffffff
)

// futex is futex(2) among the threads of one program.
func (m *Machine) futex(t *thread, c *call) answer {
	at, value := c.args[0], uint32(c.args[2])
	switch c.args[1] & futexOperation {
	case futexWait:
		return m.futexWait(t, c, at, value, allBits, false)
	case futexWaitBits:
		return m.futexWait(t, c, at, value, uint32(c.args[5]), true)
	case futexWake:
		return result(m.futexWake(t.p, at, int(int32(value)), allBits))
	case futexWakeBits:
		if uint32(c.args[5]) == 0 {
			return failure(unix.EINVAL)
		}
		return result(m.futexWake(t.p, at, int(int32(value)), uint32(c.args[5])))
	case futexCmpRequeue:
		if now, err := word(t, at); err != nil || now != uint32(c.args[5]) {
			return failure(unix.EAGAIN)
		}
		return m.futexRequeue(t, c)
	case futexRequeue:
		return m.futexRequeue(t, c)
	}
	return failure(unix.ENOSYS)
}

func word(t *thread, at uint64) (uint32, error) {
	var b [4]byte
	err := read(t.tid, at, b[:])
	return binary.NativeEndian.Uint32(b[:]), err
}

func (m *Machine) futexWait(t *thread, c *call, at uint64, value, bits uint32, absolute bool) answer {
	if bits == 0 {
		return failure(unix.EINVAL)
	}
	now, err := word(t, at)
	if err != nil {
		return failure(unix.EFAULT)
	}
	if now != value {
		return failure(unix.EAGAIN)
	}
	w := wait{deadline: farAway, expired: failure(unix.ETIMEDOUT), futex: at, bits: bits}
	d, err := m.timeout(t, c.args[3])
	switch {
	case err != nil:
		return mistake(err)
	case d < 0:
	case absolute:
		clock := unix.CLOCK_MONOTONIC
		if c.args[1]&futexRealtime != 0 {
			clock = unix.CLOCK_REALTIME
		}
		w.deadline, w.timed = m.ticks(m.since(clock, d)), true
	default:
		w.deadline, w.timed = m.now()+m.ticks(d), true
	}
	m.waited++
	t.turn = m.waited
	t.block(w)
	return answer{}
}

// futexWake wakes up to n threads that wait at an address, who has waited longest first.
func (m *Machine) futexWake(p *program, at uint64, n int, bits uint32) (woken int64) {
	for ; int(woken) < n; woken++ {
		t := m.longest(p, at, bits)
		if t == nil {
			break
		}
		m.wake(t, result(0))
	}
	return woken
}

func (m *Machine) longest(p *program, at uint64, bits uint32) (longest *thread) {
	for _, t := range m.order {
		if t.p == p && t.state == blocked && t.wait.futex == at && t.wait.bits&bits != 0 &&
			(longest == nil || t.turn < longest.turn) {
			longest = t
		}
	}
	return longest
}

// waiters is how many wait at an address.
func (m *Machine) waiters(p *program, at uint64) (n int) {
	for _, t := range m.order {
		if t.p == p && t.state == blocked && t.wait.futex == at && t.wait.bits != 0 {
			n++
		}
	}
	return n
}

// futexRequeue wakes some and lets others wait at a second address, behind those that wait there.
func (m *Machine) futexRequeue(t *thread, c *call) answer {
	n := m.futexWake(t.p, c.args[0], int(int32(uint32(c.args[2]))), allBits)
	moved := min(int(int32(uint32(c.args[3]))), m.waiters(t.p, c.args[0])) // both addresses may be the same
	for range moved {
		o := m.longest(t.p, c.args[0], allBits)
		m.waited++
		o.wait.futex, o.turn = c.args[4], m.waited
		n++
	}
	return result(n)
}
