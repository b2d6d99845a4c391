// SPDX-License-Identifier: Apache-2.0

package rtps

// delivery is one call of user code that is due: exactly one of the functions is set.
type delivery struct {
	reader *Reader // of sample
	sample Sample
	buffer *[]byte // backs sample.Payload if not nil; goes back to Participant.buffers

	onMatch func(n int, ev MatchEvent)
	match   MatchEvent
	n       int

	onStatus func(StatusEvent)
	status   StatusEvent

	onEvent func(DiscoveryEvent)
	event   DiscoveryEvent
}

// call runs the user's function.
func (d *delivery) call() {
	switch {
	case d.reader != nil:
		if !d.reader.closed.Load() && d.reader.cfg.OnSample != nil {
			d.reader.cfg.OnSample(&d.sample)
		}
	case d.onMatch != nil:
		d.onMatch(d.n, d.match)
	case d.onStatus != nil:
		d.onStatus(d.status)
	case d.onEvent != nil:
		d.onEvent(d.event)
	}
}

// dispatch makes the calls that are due, in order, unless another goroutine is at it, which then makes ours too.
func (p *Participant) dispatch() {
	for p.due() && p.deliverMu.TryLock() {
		p.drain()
		p.deliverMu.Unlock()
	}
}

// due reports whether calls wait.
func (p *Participant) due() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue) > 0
}

// drain makes all calls that are due. The caller holds deliverMu, and not mu, so that user code may call the package.
func (p *Participant) drain() {
	for {
		p.mu.Lock()
		for i := range p.batch {
			if b := p.batch[i].buffer; b != nil && len(p.buffers) < maxPooledBuffers && cap(*b) <= maxPooledSize {
				p.buffers = append(p.buffers, b)
			}
		}
		clear(p.batch)
		p.batch, p.queue = p.queue, p.batch[:0]
		p.mu.Unlock()
		if len(p.batch) == 0 {
			return
		}
		for i := range p.batch {
			p.batch[i].call()
		}
	}
}

const (
	maxPooledBuffers = 16       // unused payload buffers kept …
	maxPooledSize    = 64 << 10 // … and the size of each, bytes

	// maxQueued bounds the calls that wait for a user function that does not return; samples above it are dropped.
	maxQueued = 4096
)

// enqueueSample makes a call of r.OnSample due. The payload must stay valid until the calls are made, or be owned by buffer.
func (p *Participant) enqueueSample(r *Reader, s Sample, buffer *[]byte) {
	if len(p.queue) >= maxQueued {
		p.drop(DropSampleQueue)
		return
	}
	p.stats.SamplesDelivered++
	p.queue = append(p.queue, delivery{reader: r, sample: s, buffer: buffer})
}

// copyBuffer returns a pooled buffer with a copy of b.
func (p *Participant) copyBuffer(b []byte) *[]byte {
	var buf *[]byte
	if n := len(p.buffers); n > 0 {
		buf = p.buffers[n-1]
		p.buffers = p.buffers[:n-1]
	} else {
		buf = new([]byte)
	}
	*buf = append((*buf)[:0], b...)
	return buf
}
