// SPDX-License-Identifier: Apache-2.0

package executor

// posted is a callback in the inbox.
type posted struct {
	source *source
	call   func()
}

// inboxSize is the number of callbacks that can be posted without a lock until a goroutine of the executor takes the
// next one. Beyond it the goroutine that posts moves them to their queues.
const inboxSize = 256

// Post implements ros2.CallbackQueue. It takes no lock unless more callbacks wait than the limit or the inbox allow.
func (p *source) Post(call func()) {
	if p.closed.Load() {
		return
	}
	e := p.e
	above := p.source.Limit > 0 && int(p.waiting.Add(1)) > p.source.Limit
	c := posted{p, call}
	if !e.inbox.Push(c) {
		e.postFull(c)
	} else if above {
		e.mu.Lock()
		e.settle() // drops the oldest
		e.mu.Unlock()
	}
	e.announcePosted()
}

// announcePosted wakes the goroutines that wait for a callback in the inbox.
func (e *Executor) announcePosted() {
	s := e.mu.idle.state.Load()
	if s == 0 {
		return
	}
	if s >= blocked { // there is space now if they have waited for this callback
		e.mu.Lock()
		e.settle()
		e.mu.Unlock()
	}
	e.mu.idle.notify()
}

// postFull is Post if the inbox is full. There is no space while another goroutine is about to fill its oldest cell.
func (e *Executor) postFull(c posted) {
	for range tries { // a goroutine of the executor may be emptying it
		if e.inbox.Push(c) {
			return
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.settle(); !e.inbox.Push(c); e.settle() {
		e.mu.idle.state.Add(blocked)
		if !e.inbox.Ready() { // else the one that fills the cell sees that this one waits
			e.changed.Wait()
		}
		e.mu.idle.state.Add(^uint32(blocked - 1))
	}
}

// settle counts the callbacks that have ended, and moves those of the inbox to the queues of their sources. The
// executor is locked.
func (e *Executor) settle() {
	if e.ended.Load() > 0 {
		for _, w := range e.workers {
			if w.ended.CompareAndSwap(true, false) {
				e.ended.Add(-1)
				w.end()
			}
		}
	}
	if !e.inbox.Ready() {
		return
	}
	for c, ok := e.inbox.Pop(); ok; c, ok = e.inbox.Pop() {
		c.source.push(c.call)
	}
	if e.mu.idle.state.Load() >= blocked {
		e.changed.Broadcast()
	}
}

// push adds a callback; a full queue drops its oldest one. The executor is locked.
func (p *source) push(call func()) {
	e := p.e
	if p.closed.Load() {
		return
	}
	if p.source.Limit > 0 && p.queue.Len() >= p.source.Limit {
		p.pop()
		p.lost++
	}
	if p.queue.Len() == 0 {
		p.place = len(e.ready)
		e.ready = append(e.ready, p)
	}
	e.posted++
	p.queue.Push(due{call, e.posted})
}
