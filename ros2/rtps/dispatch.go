// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/pagefault"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/shm"
)

// delivery is a pending call of a user function: a reader's OnSample, or other. It is copied for each sample, so rare
// calls are behind a pointer.
type delivery struct {
	reader *Reader // of sample
	sample Sample
	buffer *[]byte   // backs sample.Payload if not nil; returned to calls.buffers
	loan   *shm.Loan // of sample.Payload, if not nil
	other  func()
}

// call runs the user's function.
func (d *delivery) call() {
	switch {
	case d.reader == nil:
		d.other()
	case d.reader.closed.Load() || d.reader.cfg.OnSample == nil:
	case d.loan == nil:
		d.reader.cfg.OnSample(&d.sample)
	case pagefault.Caught(func() { d.reader.cfg.OnSample(&d.sample) }):
		d.reader.p.loseLent(d.reader)
	}
}

// loseLent reports a sample that its writer's shared memory lost while the user's function read it: another program has
// truncated the file.
func (p *Participant) loseLent(r *Reader) {
	p.mu.Lock()
	defer p.unlock()
	p.drop(DropShared)
	p.logRejected(time.Now(), "a sample was lost while it was read: the shared memory of its writer was truncated", "topic", r.cfg.Topic)
}

// release ends the loan of the payload.
func (d *delivery) release() {
	if d.loan != nil {
		d.loan.Release()
	}
}

// calls is the queue of pending calls of user functions, with the buffers of their samples. One goroutine at a time
// makes them: the holder of turn.
type calls struct {
	due     chan struct{}          // signalled when calls are pending
	turn    *turn                  // held while user functions are called; acquired before mu
	batch   []delivery             // owned by the holder of turn
	current atomic.Pointer[Reader] // whose OnSample is being called, nil for an event function

	mu          *sync.Mutex // the participant's; guards everything below
	queue       []delivery
	buffers     []*[]byte
	pooledBytes int // of buffers
	queuedBytes int // in the buffers of queue and batch
}

func newCalls(mu *sync.Mutex) calls {
	return calls{due: make(chan struct{}, 1), turn: newTurn(), mu: mu}
}

// run is the delivery goroutine: it makes the pending calls, except those caused by a datagram of user traffic, which
// are made in the goroutine of that socket. So a user function that does not return blocks user traffic, but neither
// timers nor discovery.
func (c *calls) run(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-c.due:
		}
		c.turn.begin()
		c.drain()
		c.turn.end()
	}
}

// wake wakes the delivery goroutine if calls are pending. The caller holds mu.
func (c *calls) wake() {
	if len(c.queue) == 0 {
		return
	}
	select {
	case c.due <- struct{}{}:
	default:
	}
}

// drain makes all pending calls. The caller holds the turn but not mu, so that user code may call the package.
func (c *calls) drain() {
	for {
		c.mu.Lock()
		c.recycle()
		c.batch, c.queue = c.queue, c.batch[:0]
		c.mu.Unlock()
		if len(c.batch) == 0 {
			return
		}
		task.Watched() // the datagram was received without it
		for i := range c.batch {
			c.current.Store(c.batch[i].reader)
			c.batch[i].call()
		}
	}
}

// recycle returns the buffers of completed calls to the pool.
func (c *calls) recycle() {
	for i := range c.batch {
		c.batch[i].release()
		b := c.batch[i].buffer
		if b == nil {
			continue
		}
		c.queuedBytes -= len(*b)
		if c.pooledBytes+cap(*b) <= pooledLimit && cap(*b) <= maxPooledSize {
			c.buffers = append(c.buffers, b)
			c.pooledBytes += cap(*b)
		}
	}
	clear(c.batch)
}

// full reports whether too many calls are pending.
func (c *calls) full() bool { return len(c.queue) >= maxQueued }

// add queues a call of an event function.
func (c *calls) add(f func()) { c.queue = append(c.queue, delivery{other: f}) }

// copyBuffer returns a pooled buffer with a copy of b.
func (c *calls) copyBuffer(b []byte) *[]byte {
	var buf *[]byte
	if n := len(c.buffers); n > 0 {
		buf = c.buffers[n-1]
		c.buffers = c.buffers[:n-1]
		c.pooledBytes -= cap(*buf)
	} else {
		buf = new([]byte)
	}
	*buf = append((*buf)[:0], b...)
	return buf
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
	if c := &p.calls; c.full() || len(c.queue) > 0 && c.queuedBytes+len(s.Payload) > p.cfg.Limits.ReassemblyBytes {
		p.drop(DropSampleQueue)
		return
	}
	var loan *shm.Loan
	if buffer == nil && p.in.loan != nil { // the payload is that of the submessage, not of a sample that waited for it
		loan = p.in.loan
		loan.Retain()
		if r.cfg.Loans {
			s.Loan = loan
		}
	}
	if buffer == nil && !p.in.delivers {
		buffer = p.calls.copyBuffer(s.Payload)
		s.Payload = *buffer
	}
	if buffer != nil {
		p.calls.queuedBytes += len(*buffer)
	}
	p.stats.SamplesDelivered++
	p.calls.queue = append(p.calls.queue, delivery{reader: r, sample: *s, buffer: buffer, loan: loan})
}

// turn is a mutex held while user functions are called. Because it may be held for long, goroutines wait for it on a
// condition variable, which profiles show as waiting for user code and not as lock contention.
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
