// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/cdr"
)

// Subscription receives messages of type T from a topic.
type Subscription[T any] struct {
	endpoint
	decode   func(*cdr.Decoder, []byte, *T) error
	callback func(*T, MessageInfo) // nil if plain is not
	plain    func(*T)
	box      *mailbox[T]
	shared   atomic.Pointer[map[GID]sharedLink] // publishers whose messages come by pointer
	received atomic.Int64
	broken   atomic.Int64
	badData  limiter
	onClose  func()
	dec      cdr.Decoder // of the transport's goroutine: one callback at a time

	mu     sync.Mutex
	reader Reader
}

// SubscriptionOption adjusts a subscription, see [OnPublishers] and
// [MaxMessageSize].
type SubscriptionOption func(*subscriptionOptions)

type subscriptionOptions struct {
	onPublishers func(int)
	events       eventHandlers
	maxSize      int
	onClose      func() // once, when no callback runs any more
}

// OnPublishers calls f with the number of matched publishers whenever it
// changes. f runs on a goroutine of the transport and must not block.
func OnPublishers(f func(count int)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.onPublishers = f }
}

// MaxMessageSize bounds the bytes of an encoded message that the subscription
// takes in; longer ones are dropped. It defaults to the transport's limit.
func MaxMessageSize(bytes int) SubscriptionOption {
	return func(o *subscriptionOptions) { o.maxSize = bytes }
}

// NewSubscription asks for the topic, whose name is resolved for the node, with
// the quality of service qos. callback gets each message on a goroutine of the
// transport, or on that of a [SharedPublisher], one at a time; it must not block.
// It may keep the message; if it comes from a shared publisher others have it,
// too, and it must not be changed. Close the subscription or its node when done.
func NewSubscription[T any, P MessageOf[T]](n *Node, topic string, qos QoS, callback func(m *T, info MessageInfo),
	opts ...SubscriptionOption) (*Subscription[T], error) {
	return newSubscription[T, P](n, topic, qos, &Subscription[T]{callback: callback}, opts)
}

// Listen is [NewSubscription] for a callback that wants the message alone: within a
// program that is faster, see [SharedPublisher].
func Listen[T any, P MessageOf[T]](n *Node, topic string, qos QoS, callback func(m *T), opts ...SubscriptionOption) (*Subscription[T], error) {
	return newSubscription[T, P](n, topic, qos, &Subscription[T]{plain: callback}, opts)
}

// newSubscription completes s.
func newSubscription[T any, P MessageOf[T]](n *Node, topic string, qos QoS, s *Subscription[T], opts []SubscriptionOption) (*Subscription[T], error) {
	var o subscriptionOptions
	for _, opt := range opts {
		opt(&o)
	}
	s.decode = func(d *cdr.Decoder, data []byte, m *T) error { return d.Unmarshal(data, P(m)) }
	s.shared.Store(new(map[GID]sharedLink))
	s.onMatch, s.onClose, s.handlers = o.onPublishers, o.onClose, o.events
	cfg, err := s.init(n, SubscriptionEndpoint, topic, P(new(T)), qos)
	if err != nil {
		return nil, err
	}
	s.box = newMailbox(newLane(), func(m *T, info MessageInfo) {
		s.received.Add(1)
		s.call(m, info)
	}, s.qos)
	if err := n.own(s); err != nil {
		return nil, err
	}
	// Before the transport: what comes by pointer must not come from there as well.
	if x := n.exchange(); x != nil {
		x.addSubscription(s.topic, s)
		s.box.lane.work() // what shared publishers kept
	}
	r, err := n.transport.NewReader(ReaderConfig{EndpointConfig: cfg, OnSample: s.take, MaxSampleSize: o.maxSize})
	if err != nil {
		s.leave()
		return nil, fmt.Errorf("subscription of %s: %w", s.topic, err)
	}
	s.mu.Lock()
	s.reader = r
	s.mu.Unlock()
	if s.isClosed.Load() { // the node closed meanwhile
		s.leave()
		return nil, errors.Join(fmt.Errorf("subscription of %s: %w", s.topic, ErrClosed), r.Close())
	}
	return s, nil
}

// call runs the callback.
func (s *Subscription[T]) call(m *T, info MessageInfo) {
	if s.plain != nil {
		s.plain(m)
		return
	}
	s.callback(m, info)
}

// take decodes a sample and hands it on; a broken one is counted and logged.
func (s *Subscription[T]) take(sample Sample) {
	if _, linked := (*s.shared.Load())[sample.Info.Publisher]; linked {
		return
	}
	m := new(T)
	if err := s.decode(&s.dec, sample.Payload, m); err != nil {
		s.broken.Add(1)
		if s.badData.allow(s.node.clock.Now()) {
			s.node.aside.Warn("message dropped",
				slog.String("topic", s.topic), slog.String("type", s.typ),
				slog.String("publisher", sample.Info.Publisher.String()),
				slog.Any("error", fmt.Errorf("%w: %w", ErrDecode, err)))
		}
		return
	}
	s.box.put(m, sample.Info)
}

// join puts the subscription in the lane of its topic.
func (s *Subscription[T]) join(l *lane) { s.box.lane = l }

// PublisherCount returns the number of matched publishers.
func (s *Subscription[T]) PublisherCount() int { return int(s.matched.Load()) }

// Received returns how many messages the callback got, and how many others could
// not be decoded.
func (s *Subscription[T]) Received() (messages, undecodable int64) {
	messages = s.received.Load()
	for _, link := range *s.shared.Load() {
		messages += link.publisher.total() - link.base
	}
	return messages, s.broken.Load()
}

// leave takes the subscription from its node and from the exchange.
func (s *Subscription[T]) leave() {
	s.node.disown(s)
	if x := s.node.exchange(); x != nil {
		x.removeSubscription(s.topic, s)
	}
}

// Close withdraws the subscription; the callback does not run after it has
// returned, unless it has not come to an end within a second: then the error is
// [ErrStuck]. It must not be called from the callback, nor from that of another
// subscription of the topic. Closing twice is harmless.
func (s *Subscription[T]) Close() error {
	if s.isClosed.Swap(true) {
		return nil
	}
	s.leave()
	s.mu.Lock()
	r := s.reader
	s.mu.Unlock()
	if r == nil { // NewSubscription is still at work and will close it
		return nil
	}
	err := r.Close()
	patience := closePatience
	if errors.Is(err, ErrStuck) {
		patience = 0
	}
	ended := s.box.close(patience)
	s.matched.Store(0)
	switch {
	case !ended && patience > 0:
		err = errors.Join(err, fmt.Errorf("subscription of %s: callback: %w after %v", s.topic, ErrStuck, patience))
	case ended && s.onClose != nil:
		s.onClose()
	}
	return err
}
