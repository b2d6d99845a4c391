// SPDX-License-Identifier: Apache-2.0

package order

import (
	"errors"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// Transport returns a transport for the nodes of the application. inner carries their messages to other nodes; messages
// among the nodes arrive in order and are not lost, whatever their quality of service (TestOutsideIsMarked).
func (c *Coordinator) Transport(inner ros2.ServiceTransport) ros2.ServiceTransport {
	return &transport{ServiceTransport: inner, c: c}
}

type transport struct {
	ros2.ServiceTransport
	c *Coordinator
}

// send sends a message when the running callback ends or waits, or at once if there is none.
func (c *Coordinator) send(o output) {
	if f := c.current(); f != nil && f.event != nil {
		c.mu.Lock()
		f.outputs = append(f.outputs, o)
		c.mu.Unlock()
		return
	}
	id := goid.Current()
	c.mu.Lock()
	bridges := c.shared == leads && c.deliverer != id
	if bridges {
		c.bridging[id] = true
	}
	c.mu.Unlock()
	o.deliver()
	if bridges {
		c.mu.Lock()
		delete(c.bridging, id)
		c.mu.Unlock()
	}
}

// writer is a publisher of the application.
type writer struct {
	t     *transport
	cfg   ros2.WriterConfig
	inner ros2.Writer
	// recorded is the topic in the record; "": its messages are omitted.
	recorded string
	// endpoint is its number in the inbox, as for the other kinds.
	endpoint int

	mu       sync.Mutex
	sent     int64
	history  [][]byte // if it is transient local
	outer    int      // matches counted by the transport
	reported int
	err      error // of the transport, returned by the next call
	closed   bool
}

// NewWriter implements ros2.Transport.
func (t *transport) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	w := &writer{t: t, cfg: cfg, recorded: cfg.Topic}
	if omit := t.c.cfg.Omit; omit != nil && omit(cfg.Type) {
		w.recorded = ""
	}
	w.endpoint = t.c.inbox.add(endpointOf(wire.Publisher, &cfg.EndpointConfig))
	outer := cfg
	outer.OnMatch = func(n int) {
		w.mu.Lock()
		w.outer = n
		w.mu.Unlock()
		w.count()
		t.c.inbox.match(w.endpoint, n) // last: the leader may begin, and callbacks rely on what was reported
	}
	inner, err := t.ServiceTransport.NewWriter(outer)
	if err != nil {
		t.c.inbox.remove(w.endpoint)
		return nil, err
	}
	t.c.bus.mu.Lock()
	w.inner = inner
	t.c.bus.writers = append(t.c.bus.writers, w)
	t.c.bus.mu.Unlock()
	w.count()
	return w, nil
}

// count reports the number of matches to the publisher.
func (w *writer) count() {
	local := len(w.t.c.bus.readersOf(w))
	w.mu.Lock()
	n := max(local, w.outer)
	changed := n != w.reported && !w.closed
	w.reported = n
	w.mu.Unlock()
	if changed && w.cfg.OnMatch != nil {
		w.cfg.OnMatch(n)
	}
}

// Write implements ros2.Writer. An error of the transport is returned by the next call.
func (w *writer) Write(payload []byte) error {
	w.mu.Lock()
	err := w.err
	w.err = nil
	w.mu.Unlock()
	sum, copied := wire.SumOf(payload), slices.Clone(payload)
	w.t.c.send(output{topic: w.recorded, sum: uint64(sum), deliver: func() {
		w.t.c.recordSend(wire.Send{Kind: wire.OfTopic, Name: w.cfg.Topic, Sum: sum})
		w.deliver(copied, sum)
	}})
	return err
}

// deliver delivers a message to the matched readers.
func (w *writer) deliver(payload []byte, sum wire.Sum) {
	w.mu.Lock()
	w.sent++
	sample := w.sample(w.sent, payload)
	if w.cfg.QoS.Durability == ros2.TransientLocal {
		w.history = append(w.history, payload)
		if n := len(w.history) - w.cfg.QoS.EffectiveDepth(); w.cfg.QoS.History != ros2.KeepAll && n > 0 {
			w.history = slices.Delete(w.history, 0, n)
		}
	}
	w.mu.Unlock()
	for _, r := range w.t.c.bus.readersOf(w) {
		r.expectEcho(sum)
		r.deliver(sample)
	}
	if err := w.inner.Write(payload); err != nil && !errors.Is(err, ros2.ErrClosed) {
		w.mu.Lock()
		w.err = err
		w.mu.Unlock()
	}
}

func (w *writer) sample(number int64, payload []byte) ros2.Sample {
	now := w.t.c.time()
	return ros2.Sample{Payload: payload, Info: ros2.MessageInfo{
		SourceTime: now, ReceivedTime: now, Publisher: w.inner.GID(), Sequence: number,
	}}
}

// GID implements ros2.Writer.
func (w *writer) GID() ros2.GID { return w.inner.GID() }

// Close implements ros2.Writer.
func (w *writer) Close() error {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.t.c.inbox.remove(w.endpoint)
	drop(&w.t.c.bus, &w.t.c.bus.writers, w)
	return w.inner.Close()
}

// reader is a subscription of the application.
type reader struct {
	t     *transport
	cfg   ros2.ReaderConfig
	inner ros2.Reader

	endpoint int // 0: none, its messages are handled at once

	mu     sync.Mutex // one message at a time
	closed bool

	echoing sync.Mutex
	echoes  []wire.Sum // the application's messages to it, the latest maxEchoes
}

// maxEchoes bounds the messages in flight through a transport that does not identify senders.
const maxEchoes = 1000

// expectEcho records that a message of the application will also arrive through the transport.
func (r *reader) expectEcho(sum wire.Sum) {
	r.echoing.Lock()
	defer r.echoing.Unlock()
	if len(r.echoes) == maxEchoes {
		r.echoes = slices.Delete(r.echoes, 0, maxEchoes/2)
	}
	r.echoes = append(r.echoes, sum)
}

// echoed reports whether a message without a sender is one of the application's own. Each counts once.
func (r *reader) echoed(sum wire.Sum) bool {
	r.echoing.Lock()
	defer r.echoing.Unlock()
	i := slices.Index(r.echoes, sum)
	if i >= 0 {
		r.echoes = slices.Delete(r.echoes, i, i+1)
	}
	return i >= 0
}

// NewReader implements ros2.Transport.
func (t *transport) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	r := &reader{t: t, cfg: cfg}
	if cfg.Grouped {
		r.endpoint = t.c.inbox.add(endpointOf(wire.Subscription, &cfg.EndpointConfig))
	}
	outer := cfg
	outer.OnMatch = func(n int) {
		if cfg.OnMatch != nil {
			cfg.OnMatch(n)
		}
		t.c.inbox.match(r.endpoint, n) // last, as for writers
	}
	outer.Loans = false // samples wait for their turn, as copies
	outer.OnSample = func(s ros2.Sample) {
		if !t.c.bus.owns(s.Info.Publisher) && (s.Info.Publisher != ros2.GID{} || !r.echoed(wire.SumOf(s.Payload))) {
			t.c.receive(r.endpoint, s.Payload, func(payload []byte, _ int64) { s.Payload = payload; r.deliver(s) })
		}
	}
	inner, err := t.ServiceTransport.NewReader(outer)
	if err != nil {
		t.c.inbox.remove(r.endpoint)
		return nil, err
	}
	r.inner = inner
	writers := t.c.bus.writersOf(r)
	add(&t.c.bus, &t.c.bus.readers, r)
	for _, w := range writers {
		w.count()
		if cfg.QoS.Durability == ros2.TransientLocal {
			w.replay(r)
		}
	}
	return r, nil
}

// replay delivers a transient local writer's history.
func (w *writer) replay(r *reader) {
	w.mu.Lock()
	kept, first := slices.Clone(w.history), w.sent-int64(len(w.history))+1
	w.mu.Unlock()
	for i, payload := range kept {
		r.deliver(w.sample(first+int64(i), payload))
	}
}

// deliver delivers a message to the subscription.
func (r *reader) deliver(s ros2.Sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && (r.cfg.MaxSampleSize == 0 || len(s.Payload) <= r.cfg.MaxSampleSize) {
		r.cfg.OnSample(s)
	}
}

// GID implements ros2.Reader.
func (r *reader) GID() ros2.GID { return r.inner.GID() }

// Close implements ros2.Reader.
func (r *reader) Close() error {
	b := &r.t.c.bus
	r.t.c.inbox.remove(r.endpoint)
	drop(b, &b.readers, r)
	for _, w := range b.writersOf(r) {
		w.count()
	}
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	return r.inner.Close()
}
