// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// Subscription receives messages of type T from a topic.
type Subscription[T any] struct {
	endpoint
	decode  func(*cdr.Decoder, []byte, *T) error
	local   *inproc.Subscriber[T]
	broken  atomic.Int64
	badData limiter
	onClose func()
	place   CallbackPlace // nil: the callback runs as messages come
	dec     cdr.Decoder   // of the transport's goroutine: one callback at a time

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
	group        CallbackGroup
	groupSet     bool
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
// too, and it must not be changed. On a node with a callback group the group runs
// it, see [InGroup]. Close the subscription or its node when done.
func NewSubscription[T any, P MessageOf[T]](n *Node, topic string, qos QoS, callback func(m *T, info MessageInfo),
	opts ...SubscriptionOption) (*Subscription[T], error) {
	return newSubscription[T, P](n, topic, qos, inproc.SubscriberConfig[T]{Callback: callback}, opts)
}

// Listen is [NewSubscription] for a callback that wants the message alone: within a
// program that is faster, see [SharedPublisher].
func Listen[T any, P MessageOf[T]](n *Node, topic string, qos QoS, callback func(m *T), opts ...SubscriptionOption) (*Subscription[T], error) {
	return newSubscription[T, P](n, topic, qos, inproc.SubscriberConfig[T]{Plain: callback}, opts)
}

// newSubscription makes a subscription with the callback that local has.
func newSubscription[T any, P MessageOf[T]](n *Node, topic string, qos QoS, local inproc.SubscriberConfig[T],
	opts []SubscriptionOption) (*Subscription[T], error) {
	s := &Subscription[T]{}
	var o subscriptionOptions
	for _, opt := range opts {
		opt(&o)
	}
	s.decode = func(d *cdr.Decoder, data []byte, m *T) error { return d.Unmarshal(data, P(m)) }
	s.onMatch, s.onClose, s.handlers = o.onPublishers, o.onClose, o.events
	cfg, err := s.init(n, SubscriptionEndpoint, topic, P(new(T)), qos)
	if err != nil {
		return nil, err
	}
	local.Exchange, local.Topic, local.Limit = n.exchange(), s.topic, waitingLimit(s.qos)
	local.Replays, local.Terms = s.qos.Durability == TransientLocal, s.qos
	if err := s.join(&o, &local); err != nil {
		return nil, err
	}
	s.local = inproc.NewSubscriber(local)
	if err := n.register(s); err != nil {
		s.quit(0)
		return nil, err
	}
	// Before the transport: what comes by pointer must not come from there as well.
	s.local.Join()
	cfg.Grouped = s.place != nil
	r, err := n.transport.NewReader(ReaderConfig{EndpointConfig: cfg, OnSample: s.deliver, MaxSampleSize: o.maxSize})
	if err != nil {
		s.leave()
		s.quit(0)
		return nil, fmt.Errorf("subscription of %s: %w", s.topic, err)
	}
	s.mu.Lock()
	s.reader = r
	s.mu.Unlock()
	if s.isClosed.Load() { // the node closed meanwhile
		s.leave()
		s.quit(0)
		return nil, errors.Join(fmt.Errorf("subscription of %s: %w", s.topic, ErrClosed), r.Close())
	}
	return s, nil
}

// join leaves the callback to the subscription's group, if it has one.
func (s *Subscription[T]) join(o *subscriptionOptions, local *inproc.SubscriberConfig[T]) (err error) {
	group := s.node.group
	if o.groupSet {
		group = o.group
	}
	if s.place, err = s.node.place(group, SubscriptionCallback, s.topic, local.Limit); err != nil {
		return fmt.Errorf("subscription of %s: %w", s.topic, err)
	}
	place, plain, callback := s.place, local.Plain, local.Callback
	switch {
	case place == nil:
	case plain != nil:
		local.Plain = func(m *T) { place.Post(func() { plain(m) }) }
	default:
		local.Callback = func(m *T, info MessageInfo) { place.Post(func() { callback(m, info) }) }
	}
	return nil
}

// quit ends what join began.
func (s *Subscription[T]) quit(patience time.Duration) (ended bool) {
	return s.place == nil || s.place.Close(patience)
}

// deliver decodes a sample and hands it on; a broken one is counted and logged.
func (s *Subscription[T]) deliver(sample Sample) {
	if s.local.Linked(sample.Info.Publisher) {
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
	s.local.Put(m, sample.Info)
}

// PublisherCount returns the number of matched publishers.
func (s *Subscription[T]) PublisherCount() int { return int(s.matched.Load()) }

// Received returns how many messages the callback got, and how many others could
// not be decoded. Those that wait for an executor count among the first.
func (s *Subscription[T]) Received() (messages, undecodable int64) {
	messages = s.local.Received()
	if s.place != nil {
		messages -= s.place.Lost()
	}
	return messages, s.broken.Load()
}

// leave takes the subscription from its node and from the exchange.
func (s *Subscription[T]) leave() {
	s.node.disown(s)
	s.local.Leave()
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
	ended := s.local.Close(patience)
	ended = s.quit(patience) && ended
	s.matched.Store(0)
	switch {
	case !ended && patience > 0:
		err = errors.Join(err, fmt.Errorf("subscription of %s: callback: %w after %v", s.topic, ErrStuck, patience))
	case ended && s.onClose != nil:
		s.onClose()
	}
	return err
}
