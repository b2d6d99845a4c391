// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/pagefault"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// Publisher sends messages of type T on a topic. It is safe for concurrent use.
type Publisher[T any] struct {
	endpoint
	encode func(*cdr.Encoder, *T)

	mu     sync.Mutex
	writer Writer
	gid    GID // constant after NewPublisher
	// onClose runs once, when the publisher has closed. It may be nil.
	onClose func()
	enc     cdr.Encoder
	size    int // of the last messages, bytes
}

// PublisherOption configures a publisher, see [OnSubscribers], [OnOfferedDeadlineMissed], [OnLivelinessLost] and
// [OnOfferedIncompatibleQoS].
type PublisherOption func(*publisherOptions)

type publisherOptions struct {
	onSubscribers func(int)
	events        eventHandlers
}

// OnSubscribers calls f with the number of matched subscriptions whenever it
// changes. f runs on a goroutine of the transport and must not block.
func OnSubscribers(f func(count int)) PublisherOption {
	return func(o *publisherOptions) { o.onSubscribers = f }
}

// NewPublisher creates a publisher of a topic, whose name is resolved for the node, with the quality of service qos.
// Close the publisher or its node when done.
func NewPublisher[T any, P MessageOf[T]](n *Node, topic string, qos QoS, opts ...PublisherOption) (*Publisher[T], error) {
	var o publisherOptions
	for _, opt := range opts {
		opt(&o)
	}
	p := &Publisher[T]{encode: func(e *cdr.Encoder, m *T) { P(m).EncodeCDR(e) }}
	p.onMatch, p.handlers = o.onSubscribers, o.events
	cfg, err := p.init(n, PublisherEndpoint, topic, P(new(T)), qos)
	if err != nil {
		return nil, err
	}
	if err := n.register(p); err != nil {
		return nil, err
	}
	w, err := n.transport.NewWriter(WriterConfig{EndpointConfig: cfg})
	if err != nil {
		n.disown(p)
		return nil, fmt.Errorf("publisher of %s: %w", p.topic, err)
	}
	p.mu.Lock()
	p.writer, p.gid = w, w.GID()
	p.mu.Unlock()
	if p.isClosed.Load() { // the node closed meanwhile
		return nil, errors.Join(fmt.Errorf("publisher of %s: %w", p.topic, ErrClosed), w.Close())
	}
	return p, nil
}

// HasSubscribers reports whether a message would be received now. It is one atomic load: call it before building a
// message.
func (p *Publisher[T]) HasSubscribers() bool { return p.matched.Load() != 0 }

// SubscriptionCount returns the number of matched subscriptions.
func (p *Publisher[T]) SubscriptionCount() int { return int(p.matched.Load()) }

// Publish sends m to all matched subscriptions and does not retain it. Without subscriptions it does nothing, unless
// the publisher is transient local and keeps the message for later ones. It waits only for other goroutines' work in
// memory (TestWritingDoesNotBlock of package rtps) and, once the transport's buffers have grown to the size of the
// messages, does not allocate. With [KeepAll] it fails while the transport's history is full and its oldest message is
// unacknowledged by every subscription, or is at most 100 ms old and unacknowledged by some; older ones are dropped for
// the slow subscriptions.
func (p *Publisher[T]) Publish(m *T) error {
	if !p.HasSubscribers() && p.qos.Durability == Volatile && !p.qos.supervised() && !p.isClosed.Load() {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isClosed.Load() || p.writer == nil {
		return fmt.Errorf("publish on %s: %w", p.topic, ErrClosed)
	}
	if err := p.write(m); err != nil {
		return fmt.Errorf("publish on %s: %w", p.topic, err)
	}
	return nil
}

// write encodes and writes a message: a large one where the readers of this machine find it, if the transport lends
// memory for as much as the last messages needed.
func (p *Publisher[T]) write(m *T) error {
	var lending LendingWriter
	var lent []byte
	if p.size >= minLent {
		if lending, _ = p.writer.(LendingWriter); lending != nil {
			lent = lending.Lend(p.size)
		}
	}
	buf := lent
	if buf == nil {
		buf = p.node.buffers.Take()
	}
	if lent != nil && pagefault.Caught(func() { p.encodeInto(buf, m) }) { // the file of the memory was truncated
		p.enc.ResetBody(nil)
		err := lending.WriteLent(lent, nil)
		lent, buf = nil, p.node.buffers.Take()
		p.encodeInto(buf, m)
		if err != nil {
			return err
		}
	} else if lent == nil {
		p.encodeInto(buf, m)
	}
	buf, err := p.enc.Bytes(), p.enc.Err()
	p.enc.ResetBody(nil)
	if err != nil {
		buf = buf[:0]
	}
	p.size = max(len(buf), p.size-p.size/16)
	if lent != nil {
		return errors.Join(err, lending.WriteLent(lent, buf))
	}
	if err == nil {
		err = p.writer.Write(buf)
	}
	p.node.buffers.Put(buf)
	return err
}

// encodeInto encodes a message into memory.
func (p *Publisher[T]) encodeInto(buf []byte, m *T) {
	p.enc.Reset(buf)
	p.encode(&p.enc, m)
}

// minLent is the size of messages, bytes, above which a transport is asked for memory.
const minLent = 2048

// GID returns the publisher's identity in the graph.
func (p *Publisher[T]) GID() GID { return p.gid }

// Close removes the publisher. Closing twice is harmless.
func (p *Publisher[T]) Close() error {
	if p.isClosed.Swap(true) {
		return nil
	}
	p.node.disown(p)
	p.mu.Lock()
	w, onClose := p.writer, p.onClose
	p.mu.Unlock()
	if w == nil { // NewPublisher is still running and will close it
		return nil
	}
	err := w.Close()
	p.matched.Store(0)
	if onClose != nil {
		onClose()
	}
	return err
}
