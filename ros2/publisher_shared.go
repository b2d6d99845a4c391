// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
)

// SharedPublisher sends messages of type T by pointer to the subscriptions of the same transport, and encoded to all
// others, under the same rules of quality of service. Within a program it saves encoding, copying and decoding of large
// messages. It is safe for concurrent use.
type SharedPublisher[T any] struct {
	pub   *Publisher[T]
	local *inproc.Publisher[T] // nil on a transport without an exchange
}

// NewSharedPublisher is [NewPublisher] for messages passed by pointer. On a transport without an [Exchange] every
// message is encoded.
func NewSharedPublisher[T any, P MessageOf[T]](n *Node, topic string, qos QoS, opts ...PublisherOption) (*SharedPublisher[T], error) {
	pub, err := NewPublisher[T, P](n, topic, qos, opts...)
	if err != nil {
		return nil, err
	}
	s := &SharedPublisher[T]{pub: pub}
	if s.local, err = shareMessages[T](pub); err != nil {
		return nil, err
	}
	return s, nil
}

// shareMessages links a publisher with the subscriptions of its transport to which values of type E are passed by
// pointer. It returns nil on a transport without an [Exchange].
func shareMessages[E, T any](pub *Publisher[T]) (*inproc.Publisher[E], error) {
	exchange := pub.node.exchange()
	if exchange == nil {
		return nil, nil //nolint:nilnil // a transport without an exchange is no fault
	}
	local := inproc.NewPublisher[E](inproc.PublisherConfig{
		Exchange: exchange, Topic: pub.topic, GID: pub.gid, Limit: waitingLimit(pub.qos), Keeps: pub.qos.Durability == TransientLocal,
		Supervised: pub.qos.supervised(), Matched: &pub.matched, Now: pub.node.clock.Now,
		Matches: func(terms any) bool {
			qos, ok := terms.(QoS)
			return ok && IncompatiblePolicies(pub.qos, qos) == 0
		},
	})
	pub.mu.Lock()
	pub.onClose = local.Close
	closed := pub.isClosed.Load()
	pub.mu.Unlock()
	if closed { // the node closed meanwhile
		local.Close()
		return nil, fmt.Errorf("publisher of %s: %w", pub.topic, ErrClosed)
	}
	return local, nil
}

// waitingLimit returns how many messages may wait for a subscription.
func waitingLimit(qos QoS) int {
	if qos.History == KeepAll {
		return inproc.MaxWaiting
	}
	return qos.EffectiveDepth()
}

// Publish publishes m by pointer: neither the caller nor the subscriptions may modify it afterwards. Callbacks of the
// same transport run on the calling goroutine before Publish returns, unless one of the topic is handling an earlier
// message: then those that are not [Concurrent] run later on its goroutine. Of messages that wait for that, a
// subscription gets the last ones of each publisher, as many as its depth.
//
// A subscription that is not Concurrent gets the messages of one goroutine in order, also while it is being closed;
// those that several goroutines publish at the same time in any order between them.
func (s *SharedPublisher[T]) Publish(m *T) error {
	if s.local != nil && s.local.Publish(m) {
		return nil
	}
	return s.pub.Publish(m)
}

// Topic returns the full name of the topic.
func (s *SharedPublisher[T]) Topic() string { return s.pub.topic }

// GID returns the publisher's identity in the graph.
func (s *SharedPublisher[T]) GID() GID { return s.pub.gid }

// HasSubscribers reports whether a subscription would receive a message now.
func (s *SharedPublisher[T]) HasSubscribers() bool {
	return s.pub.HasSubscribers() || s.local != nil && s.local.Subscribers() > 0
}

// SubscriptionCount returns the number of matched subscriptions.
func (s *SharedPublisher[T]) SubscriptionCount() int {
	if s.local == nil {
		return s.pub.SubscriptionCount()
	}
	return max(s.pub.SubscriptionCount(), s.local.Subscribers())
}

// Close removes the publisher. Closing twice is harmless.
func (s *SharedPublisher[T]) Close() error { return s.pub.Close() }
