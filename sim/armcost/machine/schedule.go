// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// What Linux' fair scheduler does on one core: each thread that can run gets a slice in turn, who had less of the core
// goes first, and who wakes up may take the core at once if it is behind by more than a granularity.
const (
	defaultSlice = 3 * time.Millisecond
	granularity  = time.Millisecond
	fairness     = 3 * time.Millisecond // how much a thread that slept is ahead of the others at the most

	glance   = 3     // ms to wait for a program before a check whether it blocks itself
	maxLooks = 10000 // looks until it is given up
)

// run runs the programs until a simulated time, or until one makes a request to the world outside.
func (m *Machine) run(until ticks) error {
	for m.now() < until && len(m.requests) == 0 {
		if err := m.pollAll(); err != nil {
			return err
		}
		if err := m.expire(); err != nil {
			return err
		}
		if err := m.awaitDetached(); err != nil {
			return err
		}
		t := m.pick()
		if t == nil {
			m.last = nil
			m.core.header().now.Store(uint64(max(m.now(), min(until, m.next()))))
			continue
		}
		if err := m.dispatch(t, until); err != nil {
			return err
		}
	}
	return nil
}

// awaitDetached waits until detached threads request the core again: simulated time does not advance without them.
func (m *Machine) awaitDetached() error {
	for begun := time.Now(); ; {
		i := slices.IndexFunc(m.order, func(t *thread) bool { return t.state == detached })
		if i < 0 {
			return nil
		}
		t := m.order[i]
		if time.Since(begun) > time.Minute {
			return fmt.Errorf("%w: thread %d of %s does not come back", errStuck, t.tid, t.p.name)
		}
		if err := m.pollCalls(t.p); err != nil {
			return err
		}
	}
}

// pick chooses who runs next.
func (m *Machine) pick() *thread {
	var best *thread
	for _, t := range m.order {
		if t.state == ready && (best == nil || t.virtual < best.virtual) {
			best = t
		}
	}
	if best == nil {
		return nil
	}
	m.floor = max(m.floor, best.virtual)
	if l := m.last; l != nil && l.state == ready && l != best && m.now() < m.sliceEnd && best.virtual+m.ticks(granularity) >= l.virtual {
		return l // its slice is not over, and the other is not far behind
	}
	if best != m.last || m.now() >= m.sliceEnd {
		m.sliceEnd = m.now() + m.ticks(m.cfg.Slice)
	}
	return best
}

// dispatch gives a thread the core until it waits for something, its slice ends, or others may want it.
func (m *Machine) dispatch(t *thread, until ticks) error {
	if vain, err := t.filesDrained(); err != nil || vain {
		return err
	}
	h := m.core.header()
	limit := min(until, m.next())
	if m.contended(t) {
		limit = min(limit, m.sliceEnd)
	}
	from := m.now()
	if t.due != 0 {
		t.p.lateBy(h.duration(from - min(from, t.due)))
		t.due = 0
	}
	h.limit.Store(uint64(max(limit, from+1)))
	h.running.Store(t.id)
	t.state, m.last, m.from, t.p.coreRequestsBefore = running, t, from, t.p.coreRequests
	if err := m.answer(t, t.reply); err != nil {
		return err
	}
	for t.state == running {
		if err := m.await(t.p, t); err != nil {
			return err
		}
	}
	t.virtual += m.now() - from
	h.running.Store(0)
	return nil
}

// contended reports whether another wants the core.
func (m *Machine) contended(t *thread) bool {
	return slices.ContainsFunc(m.order, func(o *thread) bool { return o != t && o.state == ready })
}

// answer lets a thread's call return.
func (m *Machine) answer(t *thread, a answer) error {
	id := t.call
	t.call, t.inCode = 0, false
	return send(t.p.listener, id, a)
}

// pollAll handles the calls of threads that do not have the core, and polls the files that threads wait for.
func (m *Machine) pollAll() error {
	fds := m.fds[:0]
	for _, p := range m.programs {
		if !p.over {
			fds = append(fds, unix.PollFd{Fd: int32(p.listener), Events: unix.POLLIN})
		}
	}
	listeners := len(fds)
	for _, t := range m.order {
		if t.state == blocked {
			fds = append(fds, t.wait.files...)
		}
	}
	m.fds = fds
	if n, err := poll(fds, 0); err != nil || n == 0 {
		return err
	}
	at := listeners
	for _, t := range m.order {
		if t.state != blocked {
			continue
		}
		n := len(t.wait.files)
		if slices.ContainsFunc(fds[at:at+n], func(f unix.PollFd) bool { return f.Revents != 0 }) {
			m.wakeForFiles(t)
		}
		at += n
	}
	for _, p := range m.programs {
		if err := m.handleCalls(p, nil); err != nil {
			return err
		}
	}
	return nil
}

// handleCalls handles the pending calls of a program, until the thread that has the core (nil: none) releases it.
func (m *Machine) handleCalls(p *program, t *thread) error {
	for !p.over && (t == nil || t.state == running) {
		fds := []unix.PollFd{{Fd: int32(p.listener), Events: unix.POLLIN}}
		n, err := poll(fds, 0)
		if err != nil || n == 0 {
			return err
		}
		if fds[0].Revents&unix.POLLIN == 0 {
			m.ended(p)
			return nil
		}
		c, err := receive(p.listener)
		if err != nil { // it was interrupted, or ended
			continue
		}
		p.silent = 0
		if err := m.handle(p, &c); err != nil {
			return fmt.Errorf("machine: %s: %w", p.name, err)
		}
	}
	return nil
}

// await waits until a thread that has the core asks for something, and gets others of its process out of its way if it
// waits for them.
func (m *Machine) await(p *program, t *thread) error {
	fds := []unix.PollFd{{Fd: int32(p.listener), Events: unix.POLLIN}}
	n, err := poll(fds, glance)
	if err != nil {
		return err
	}
	if n > 0 {
		return m.handleCalls(p, t)
	}
	where, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/syscall", p.pid(), t.tid))
	if err != nil || strings.HasPrefix(string(where), "running") {
		p.silent = 0
		return nil //nolint:nilerr // it is not there any more
	}
	if p.silent++; p.silent > maxLooks {
		return fmt.Errorf("%w: %s waits in system call %s", errStuck, p.name, where)
	}
	if !strings.HasPrefix(string(where), fmt.Sprintf("%d ", unix.SYS_FUTEX)) {
		return nil
	}
	if !p.inCalls() { // a thread that begins, or has a lock, will let it continue
		return nil
	}
	if n, err := poll(fds, 0); err != nil || n > 0 {
		return err // it was on its way to a call, or another was
	}
	return m.detach(p)
}

// detach releases threads that the plugin holds between two blocks of code, which the emulator may wait for.
func (m *Machine) detach(p *program) error {
	for _, o := range m.order {
		if o.p == p && o.state == ready && o.inCode && o.call != 0 {
			o.state = detached
			if err := m.answer(o, result(1)); err != nil {
				return err
			}
		}
	}
	return nil
}
