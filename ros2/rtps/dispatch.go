// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// delivery is one call of user code that is due: of a reader with a sample, else of other. It is copied for each
// sample, so the rare calls are behind a pointer.
type delivery struct {
	reader *Reader // of sample
	sample Sample
	buffer *[]byte // backs sample.Payload if not nil; goes back to Participant.buffers
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

// deliver is the delivering goroutine: it makes the calls that are due, but for those that follow from a datagram of
// user traffic, which the goroutine of that socket makes. So user functions that do not return hold up user traffic,
// and neither timers nor discovery.
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

// handOver wakes the delivering goroutine if calls are due. The caller holds mu.
func (p *Participant) handOver() {
	if len(p.queue) == 0 {
		return
	}
	select {
	case p.due <- struct{}{}:
	default:
	}
}

// drain makes all calls that are due. The caller has the turn, and not mu, so that user code may call the package.
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
		task.Watched() // the datagram was taken without
		for i := range p.batch {
			p.calling.Store(p.batch[i].reader)
			p.batch[i].call()
		}
	}
}

const (
	pooledLimit   = 1 << 20  // bytes of unused payload buffers kept: enough for all messages of a control cycle …
	maxPooledSize = 64 << 10 // … and of each

	// maxQueued bounds the calls that wait for a user function that does not return; samples above it are dropped, as
	// are those whose payloads need more than Limits.ReassemblyBytes.
	maxQueued = 4096
)

// enqueueSample makes a call of r.OnSample due. The payload is owned by buffer, or valid until the receiving goroutine
// has made the calls.
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

// turn lets one goroutine at a time call user functions. It is a mutex that is made for being held long: who waits for
// it waits for a condition, as one waits for user code, not for a lock.
type turn struct {
	held    sync.Mutex
	waiting atomic.Int32

	mu   sync.Mutex // guards the wait, not the turn
	free sync.Cond  // told when the turn ends
}

func newTurn() *turn {
	t := new(turn)
	t.free.L = &t.mu
	return t
}

// begin waits for the turn.
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

// end passes the turn on.
func (t *turn) end() {
	t.held.Unlock()
	if t.waiting.Load() > 0 { // one that counts itself later finds the turn free
		t.mu.Lock()
		t.free.Signal()
		t.mu.Unlock()
	}
}
