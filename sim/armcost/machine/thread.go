// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"golang.org/x/sys/unix"
)

type state uint8

const (
	detached state = iota // not held by the machine: on its way to a request for the core
	running               // it has the core
	ready                 // it requests the core
	blocked               // it waits for something
)

// thread is one thread of a program. All but the running one are in a system call that has not returned yet.
type thread struct {
	p       *program
	tid     int
	id      uint32 // program << 16 | the model's number of the thread + 1
	state   state
	call    uint64 // to be answered when it gets the core
	inCode  bool   // the call is the plugin's, made between two blocks of code
	reply   answer
	wait    wait
	virtual ticks  // time that it had of the core, the scheduler's measure
	due     ticks  // when the time came that it had waited for; 0: it had not
	turn    uint64 // among those that wait at a futex, or to read a timer
	buffer  uint64 // where it wants what it reads of a timer

	signals   bool // its next call that sends a signal is the program's and not the emulator's
	signalled bool // that has sent one to its own program
}

// wait is what a blocked thread waits for; any of it will do.
type wait struct {
	deadline ticks // farAway: none
	expired  answer
	timed    bool // the program asked for the time itself
	files    []unix.PollFd
	futex    uint64 // address; 0: none
	bits     uint32
	timer    *timer
	device   bool
	zero     []span // what is cleared in its memory when the time is up
}

// span is a part of a program's memory.
type span struct {
	at   uint64
	size int
}

// block lets a thread wait.
func (t *thread) block(w wait) {
	t.state, t.wait = blocked, w
}

// wake ends a thread's waiting: its call returns a when it gets the core.
func (m *Machine) wake(t *thread, a answer) {
	t.unwait()
	t.state, t.reply = ready, a
	t.virtual = max(t.virtual, m.floor-min(m.floor, m.ticks(fairness)))
}

// wakeForFiles ends a thread's wait for files, one of which is ready. The files are kept until it has the core.
func (m *Machine) wakeForFiles(t *thread) {
	w := t.wait
	t.wait.files = nil
	m.wake(t, goAhead())
	t.wait = w
}

// filesDrained reports, for a thread that gets the core, whether another thread has read what made its files ready: then
// it waits again. In the kernel it would wait outside of simulated time.
func (t *thread) filesDrained() (bool, error) {
	if len(t.wait.files) > 0 {
		if n, err := poll(t.wait.files, 0); err != nil || n == 0 {
			t.state = blocked
			return true, err
		}
	}
	t.unwait()
	return false, nil
}

// unwait stops waiting for its files.
func (t *thread) unwait() {
	for _, f := range t.wait.files {
		_ = unix.Close(int(f.Fd))
	}
	t.wait = wait{deadline: farAway}
}

// expire wakes the threads whose time is reached, in the order of their times.
func (m *Machine) expire() error {
	now := m.now()
	for _, tm := range m.timers {
		if err := tm.expire(m, now); err != nil {
			return err
		}
	}
	for {
		var first *thread
		for _, t := range m.order {
			if t.state == blocked && t.wait.deadline <= now && (first == nil || t.wait.deadline < first.wait.deadline) {
				first = t
			}
		}
		if first == nil {
			return nil
		}
		for _, z := range first.wait.zero {
			if err := write(first.tid, z.at, make([]byte, z.size)); err != nil {
				return err
			}
		}
		due := first.wait.deadline + first.slack(m)
		timed := first.wait.timed
		m.wake(first, first.wait.expired)
		if timed {
			first.due = due
		}
	}
}

// slack is how much later than asked for a wait may end, so that it ends with another.
func (t *thread) slack(m *Machine) ticks {
	if !t.wait.timed {
		return 0
	}
	return m.ticks(t.p.slack)
}

// next is when the next of them, or of the timers, has its time.
func (m *Machine) next() ticks {
	at := farAway
	for _, t := range m.order {
		if t.state == blocked {
			at = min(at, t.wait.deadline+t.slack(m))
		}
	}
	for _, tm := range m.timers {
		at = min(at, tm.at)
	}
	return at
}
