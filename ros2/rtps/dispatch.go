// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// delivery is one pending call of user code: of a reader's OnSample, else of other. It is copied for each sample, so
// rare calls are behind a pointer.
type delivery struct {
	reader *Reader // of sample
	sample Sample
	buffer *[]byte // backs sample.Payload if not nil; returned to Participant.buffers
	other  func()
}

// call runs the user's function.
func (d *delivery) call() {
	switch {
	case d.reader == nil:
		d.other()
	case !d.reader.closed.Load() && d.reader.cfg.OnSample != nil:
		d.reader.cfg.OnSample(&d.sample)
	}
}

// deliver is the delivery goroutine: it makes the pending calls, except those caused by a datagram of user traffic,
// which the goroutine of that socket makes. So user functions that do not return block user traffic, but neither timers
// nor discovery.
func (p *Participant) deliver() {
	for {
		select {
		case <-p.done:
			return
		case <-p.due:
		}
		p.turn.begin()
		p.drain()
		p.turn.end()
	}
}

// handOver wakes the delivery goroutine if calls are pending. The caller holds mu.
func (p *Participant) handOver() {
	if len(p.queue) == 0 {
		return
	}
	select {
	case p.due <- struct{}{}:
	default:
	}
}

// drain makes all pending calls. The caller holds the turn but not mu, so that user code may call the package.
func (p *Participant) drain() {
	for {
		p.mu.Lock()
		for i := range p.batch {
			b := p.batch[i].buffer
			if b == nil {
				continue
			}
			p.queuedBytes -= len(*b)
			if p.pooledBytes+cap(*b) <= pooledLimit && cap(*b) <= maxPooledSize {
				p.buffers = append(p.buffers, b)
				p.pooledBytes += cap(*b)
			}
		}
		clear(p.batch)
		p.batch, p.queue = p.queue, p.batch[:0]
		p.mu.Unlock()
		if len(p.batch) == 0 {
			return
		}
		task.Watched() // the datagram was received without it
		for i := range p.batch {
			p.calling.Store(p.batch[i].reader)
			p.batch[i].call()
		}
	}
}

const (
	pooledLimit   = 1 << 20  // bytes of unused payload buffers kept: enough for all messages of a control cycle …
	maxPooledSize = 64 << 10 // … and of each

	// maxQueued bounds the calls pending while a user function does not return; further samples are dropped, as are
	// those whose payloads exceed Limits.ReassemblyBytes.
	maxQueued = 4096
)

// enqueueSample queues a call of r.OnSample. The payload is owned by buffer, or valid until the receiving goroutine has
// made the calls.
func (p *Participant) enqueueSample(r *Reader, s *Sample, buffer *[]byte) {
	if len(p.queue) >= maxQueued || len(p.queue) > 0 && p.queuedBytes+len(s.Payload) > p.cfg.Limits.ReassemblyBytes {
		p.drop(DropSampleQueue)
		return
	}
	if buffer == nil && !p.in.delivers {
		buffer = p.copyBuffer(s.Payload)
		s.Payload = *buffer
	}
	if buffer != nil {
		p.queuedBytes += len(*buffer)
	}
	p.stats.SamplesDelivered++
	p.queue = append(p.queue, delivery{reader: r, sample: *s, buffer: buffer})
}

// copyBuffer returns a pooled buffer with a copy of b.
func (p *Participant) copyBuffer(b []byte) *[]byte {
	var buf *[]byte
	if n := len(p.buffers); n > 0 {
		buf = p.buffers[n-1]
		p.buffers = p.buffers[:n-1]
		p.pooledBytes -= cap(*buf)
	} else {
		buf = new([]byte)
	}
	*buf = append((*buf)[:0], b...)
	return buf
}

// turn is a mutex held while user functions are called. It may be held for long, so waiting for it is waiting on a
// condition variable: it counts as waiting for user code, not for a lock.
type turn struct {
	held    sync.Mutex
	waiting atomic.Int32

	mu   sync.Mutex // guards the wait, not the turn
	free sync.Cond  // signalled when the turn ends
}

func newTurn() *turn {
	t := new(turn)
	t.free.L = &t.mu
	return t
}

// begin acquires the turn.
func (t *turn) begin() {
	if t.held.TryLock() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting.Add(1)
	defer t.waiting.Add(-1)
	for !t.held.TryLock() {
		t.free.Wait()
	}
}

// end releases the turn.
func (t *turn) end() {
	t.held.Unlock()
	if t.waiting.Load() > 0 { // a goroutine that increments waiting later finds the turn free
		t.mu.Lock()
		t.free.Signal()
		t.mu.Unlock()
	}
}
