// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// Subscription receives messages of type T from a topic.
type Subscription[T any] struct {
	endpoint
	incoming  incoming[T]
	local     *inproc.Subscriber[T]
	broken    atomic.Int64
	badData   limiter
	onClose   func()
	callbacks CallbackQueue // nil: the callback runs as messages arrive
	dec       cdr.Decoder   // used by the transport's goroutine only: one callback at a time

	mu     sync.Mutex
	reader Reader
}

// incoming is how a subscription makes values of messages from the transport.
type incoming[E any] interface {
	memory(s Sample) *E
	decode(d *cdr.Decoder, s Sample, m *E) error
	// done is called after the callback with that memory.
	done(m *E)
}

// kind is what a new subscription has, and how its messages are passed to an executor.
type kind[E any] struct {
	incoming[E]
	prototype Message // names the type
	loans     bool    // requests samples with a loan
	// post returns a callback that adds the message to an executor's queue, which holds limit of them.
	post func(callbacks CallbackQueue, limit int) func(*E, MessageInfo)
}

// kept are messages that the callback may keep.
type kept[T any, P MessageOf[T]] struct{}

func (kept[T, P]) memory(Sample) *T { return new(T) }

func (kept[T, P]) decode(d *cdr.Decoder, s Sample, m *T) error { return d.Unmarshal(s.Payload, P(m)) }

func (kept[T, P]) done(*T) {}

// kindOf returns the kind of a subscription whose callback may keep messages.
func kindOf[T any, P MessageOf[T]](local *inproc.SubscriberConfig[T]) kind[T] {
	in := kind[T]{incoming: kept[T, P]{}, prototype: P(new(T))}
	if callback := local.Callback; callback != nil {
		in.post = func(callbacks CallbackQueue, _ int) func(*T, MessageInfo) {
			return func(m *T, info MessageInfo) { callbacks.Post(func() { callback(m, info) }) }
		}
	}
	return in
}

// SubscriptionOption configures a subscription, see [OnPublishers] and [MaxMessageSize].
type SubscriptionOption func(*subscriptionOptions)

type subscriptionOptions struct {
	onPublishers func(int)
	events       eventHandlers
	maxSize      int
	onClose      func() // called once, after the last callback
	group        CallbackGroup
	groupSet     bool
	concurrent   bool
	matchAll     bool
}

// OnPublishers calls f with the number of matched publishers whenever it
// changes. f runs on a goroutine of the transport and must not block.
func OnPublishers(f func(count int)) SubscriptionOption {
	return func(o *subscriptionOptions) { o.onPublishers = f }
}

// MaxMessageSize bounds the size of an encoded message, bytes; larger ones are dropped. It defaults to the transport's
// limit.
func MaxMessageSize(bytes int) SubscriptionOption {
	return func(o *subscriptionOptions) { o.maxSize = bytes }
}

// Concurrent allows callbacks of the subscription to run at the same time, on each goroutine that publishes with a
// [SharedPublisher] and on that of the transport, as in a reentrant group of rclcpp. Then goroutines that publish at
// the same time take no lock and do not wait for each other. Messages of one goroutine arrive in order. The callback
// must be safe for concurrent use.
func Concurrent() SubscriptionOption { return func(o *subscriptionOptions) { o.concurrent = true } }

// MatchAllPublishers subscribes to every publisher of the topic with the reliability and durability that it offers:
// kept messages of transient-local publishers arrive next to those of volatile ones, and repairs of reliable ones next
// to messages of best-effort ones, see [MatchAllReader]. The quality of service of the subscription applies while no
// publisher is known. An override of it by parameters switches this off.
func MatchAllPublishers() SubscriptionOption {
	return func(o *subscriptionOptions) { o.matchAll = true }
}

// NewSubscription subscribes to a topic, whose name is resolved for the node, with the quality of service qos. callback
// is called with each message on a goroutine of the transport, or on that of a [SharedPublisher], one at a time unless
// [Concurrent] is given; it must not block. It may keep the message; one from a shared publisher is shared and must not
// be modified. On a node with a callback group the group runs it, see [InGroup]. Close the subscription or its node
// when done.
func NewSubscription[T any, P MessageOf[T]](n *Node, topic string, qos QoS, callback func(m *T, info MessageInfo),
	opts ...SubscriptionOption) (*Subscription[T], error) {
	local := inproc.SubscriberConfig[T]{Callback: callback}
	return newSubscription(n, topic, qos, kindOf[T, P](&local), local, opts)
}

// Listen is [NewSubscription] for a callback that needs only the message: within a program that is faster, see
// [SharedPublisher].
func Listen[T any, P MessageOf[T]](n *Node, topic string, qos QoS, callback func(m *T), opts ...SubscriptionOption) (*Subscription[T], error) {
	local := inproc.SubscriberConfig[T]{Plain: callback}
	return newSubscription(n, topic, qos, kindOf[T, P](&local), local, opts)
}

// newSubscription creates a subscription with the callback of local.
func newSubscription[T any](n *Node, topic string, qos QoS, in kind[T], local inproc.SubscriberConfig[T],
	opts []SubscriptionOption) (*Subscription[T], error) {
	s := &Subscription[T]{incoming: in.incoming}
	var o subscriptionOptions
	for _, opt := range opts {
		opt(&o)
	}
	s.onMatch, s.onClose, s.handlers = o.onPublishers, o.onClose, o.events
	cfg, err := s.init(n, SubscriptionEndpoint, topic, in.prototype, qos)
	if err != nil {
		return nil, err
	}
	local.Exchange, local.Topic, local.Limit = n.exchange(), s.topic, waitingLimit(s.qos)
	local.Replays, local.Terms, local.Concurrent = s.qos.Durability == TransientLocal, s.qos, o.concurrent || local.Concurrent
	o.matchAll = o.matchAll && s.qos == qos
	if o.matchAll { // the subscription of this process gets all of every publisher
		local.Replays, local.Terms = true, s.qos.WithReliability(BestEffort).WithDurability(Volatile)
	}
	if err := s.join(&o, &in, &local); err != nil {
		return nil, err
	}
	s.local = inproc.NewSubscriber(local)
	if err := n.register(s); err != nil {
		s.leaveGroup(0)
		return nil, err
	}
	// Before the transport's reader: shared messages must not arrive twice.
	s.local.Join()
	cfg.Grouped = s.callbacks != nil
	r, err := s.open(&o, ReaderConfig{EndpointConfig: cfg, OnSample: s.deliver, MaxSampleSize: o.maxSize, Loans: in.loans})
	if err != nil {
		s.leave()
		s.leaveGroup(0)
		return nil, fmt.Errorf("subscription of %s: %w", s.topic, err)
	}
	s.mu.Lock()
	s.reader = r
	s.mu.Unlock()
	if s.isClosed.Load() { // the node closed meanwhile
		s.leave()
		s.leaveGroup(0)
		return nil, errors.Join(fmt.Errorf("subscription of %s: %w", s.topic, ErrClosed), r.Close())
	}
	return s, nil
}

// open creates the transport's reader.
func (s *Subscription[T]) open(o *subscriptionOptions, cfg ReaderConfig) (Reader, error) {
	if !o.matchAll {
		return s.node.transport.NewReader(cfg)
	}
	r, err := NewMatchAllReader(s.node.transport, MatchAllConfig{
		EndpointConfig: cfg.EndpointConfig, OnSample: func(m Sample, _ QoS) { s.deliver(m) },
		OnMixed: func(requested QoS) {
			s.node.asyncLog.Warn("the publishers differ in quality of service and this transport does not identify them: "+
				"the subscription matches all, without the kept messages and repairs of some",
				slog.String("topic", s.topic), slog.String("requested", requested.String()))
		},
		MaxSampleSize: cfg.MaxSampleSize, Loans: cfg.Loans,
	})
	if err != nil {
		return nil, err
	}
	r.Watch(func(err error) { s.node.asyncLog.Warn("a publisher is not matched", slog.Any("error", err)) })
	return r, nil
}

// join makes the subscription's group, if it has one, run the callback.
func (s *Subscription[T]) join(o *subscriptionOptions, in *kind[T], local *inproc.SubscriberConfig[T]) (err error) {
	group := s.node.group
	if o.groupSet {
		group = o.group
	}
	if s.callbacks, err = s.node.joinGroup(group, SubscriptionCallback, s.topic, local.Limit); err != nil {
		return fmt.Errorf("subscription of %s: %w", s.topic, err)
	}
	callbacks, plain := s.callbacks, local.Plain
	switch {
	case callbacks == nil:
	case plain != nil:
		local.Plain = func(m *T) { callbacks.Post(func() { plain(m) }) }
	default:
		local.Callback = in.post(callbacks, local.Limit)
	}
	return nil
}

// leaveGroup reverts join.
func (s *Subscription[T]) leaveGroup(timeout time.Duration) (ended bool) {
	return s.callbacks == nil || s.callbacks.Close(timeout)
}

// deliver decodes a sample and calls the callback; an undecodable one is counted and logged.
func (s *Subscription[T]) deliver(sample Sample) {
	// Close sets isClosed before it removes the links: so a copy of a message that was passed by pointer is ignored
	// then, too. It would come after newer ones.
	if s.local.Linked(sample.Info.Publisher) || s.isClosed.Load() {
		return
	}
	m := s.incoming.memory(sample)
	defer s.incoming.done(m)
	if err := s.incoming.decode(&s.dec, sample, m); err != nil {
		s.broken.Add(1)
		if s.badData.allow(s.node.clock.Now()) {
			s.node.asyncLog.Warn("message dropped",
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

// Received returns the number of received messages, including those that wait for an executor, and of those that could
// not be decoded.
func (s *Subscription[T]) Received() (messages, undecodable int64) {
	messages = s.local.Received()
	if s.callbacks != nil {
		messages -= s.callbacks.Lost()
	}
	return messages, s.broken.Load()
}

// leave removes the subscription from its node and its exchange.
func (s *Subscription[T]) leave() {
	s.node.disown(s)
	s.local.Leave()
}

// Close removes the subscription; the callback does not run after it has returned, unless it takes longer than one
// second: then the error matches [ErrStuck]. It must not be called from the callback, or from that of another
// subscription of the topic. Closing twice is harmless.
func (s *Subscription[T]) Close() error {
	if s.isClosed.Swap(true) {
		return nil
	}
	s.leave()
	s.mu.Lock()
	r := s.reader
	s.mu.Unlock()
	if r == nil { // NewSubscription is still running and will close it
		return nil
	}
	err := r.Close()
	timeout := closeTimeout
	if errors.Is(err, ErrStuck) {
		timeout = 0
	}
	ended := s.local.Close(timeout)
	ended = s.leaveGroup(timeout) && ended
	s.matched.Store(0)
	switch {
	case !ended && timeout > 0:
		err = errors.Join(err, fmt.Errorf("subscription of %s: callback: %w after %v", s.topic, ErrStuck, timeout))
	case ended && s.onClose != nil:
		s.onClose()
	}
	return err
}
