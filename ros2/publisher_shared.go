// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// SharedPublisher sends messages of type T by pointer to the subscriptions of
// the same transport, and encoded to all others, under the same rules of quality
// of service. For large messages within a program it saves encoding, copying and
// decoding. It is safe for concurrent use.
type SharedPublisher[T any] struct {
	pub      *Publisher[T]
	exchange *Exchange
	linked   atomic.Pointer[[]*Subscription[T]] // replaced, never changed
	sequence atomic.Int64

	mu       sync.Mutex
	changed  time.Time     // when linked was last replaced
	history  []Received[T] // of a transient-local publisher, oldest first
	isClosed bool
}

// matchLag is how long the number of matched subscriptions may lag behind a
// change of the linked ones: meanwhile messages are sent even if all that match
// seem to be linked.
const matchLag = time.Second

// NewSharedPublisher is [NewPublisher] for messages that are handed over. On a
// transport without an [Exchange] every message is encoded.
func NewSharedPublisher[T any, P MessageOf[T]](n *Node, topic string, qos QoS, opts ...PublisherOption) (*SharedPublisher[T], error) {
	pub, err := NewPublisher[T, P](n, topic, qos, opts...)
	if err != nil {
		return nil, err
	}
	s := &SharedPublisher[T]{pub: pub, exchange: n.exchange()}
	s.linked.Store(new([]*Subscription[T]))
	if s.exchange == nil {
		return s, nil
	}
	s.exchange.addPublisher(pub.topic, s)
	pub.mu.Lock()
	pub.onClose = s.leave
	closed := pub.isClosed.Load()
	pub.mu.Unlock()
	if closed { // the node closed meanwhile
		s.leave()
		return nil, fmt.Errorf("publisher of %s: %w", pub.topic, ErrClosed)
	}
	return s, nil
}

// Publish hands m over: neither the caller nor the subscriptions may change it
// from now on. Callbacks of the same transport run on the calling goroutine
// before Publish returns, unless they are at work with an earlier message.
func (s *SharedPublisher[T]) Publish(m *T) error {
	linked := *s.linked.Load()
	if len(linked) > 0 || s.pub.qos.Durability == TransientLocal {
		now := s.pub.node.clock.Now()
		r := Received[T]{m, MessageInfo{
			SourceTime: now, ReceivedTime: now, Publisher: s.pub.gid, Sequence: s.sequence.Add(1),
		}}
		if s.pub.qos.Durability == TransientLocal {
			linked = s.keep(r)
		}
		for _, sub := range linked {
			sub.box.put(r.Message, r.Info)
		}
	}
	if s.onlyLinked(len(linked)) {
		return nil
	}
	return s.pub.Publish(m)
}

// onlyLinked tells whether nobody but the linked subscriptions wants messages.
func (s *SharedPublisher[T]) onlyLinked(linked int) bool {
	if linked == 0 || s.pub.qos.Durability == TransientLocal || s.pub.SubscriptionCount() > linked {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.changed) > matchLag
}

// keep adds a message to the history and returns the subscriptions that have not
// got it from there.
func (s *SharedPublisher[T]) keep(r Received[T]) []*Subscription[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = append(s.history, r)
	if s.pub.qos.History == KeepLast && len(s.history) > s.pub.qos.EffectiveDepth() {
		s.history = slices.Delete(s.history, 0, 1)
	}
	return *s.linked.Load()
}

// link begins to pass messages to a subscription if it suits.
func (s *SharedPublisher[T]) link(subscription any) {
	sub, ok := subscription.(*Subscription[T])
	if !ok || IncompatiblePolicies(s.pub.qos, sub.qos) != 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return
	}
	sub.ignore(s.pub.gid, true)
	linked := append(slices.Clone(*s.linked.Load()), sub)
	s.linked.Store(&linked)
	s.changed = time.Now()
	if sub.qos.Durability == TransientLocal {
		for _, r := range s.history {
			sub.box.post(r) // handled when no lock is held
		}
	}
}

// unlink ends it.
func (s *SharedPublisher[T]) unlink(subscription any) {
	sub, ok := subscription.(*Subscription[T])
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sub.ignore(s.pub.gid, false)
	linked := slices.DeleteFunc(slices.Clone(*s.linked.Load()), func(x *Subscription[T]) bool { return x == sub })
	s.linked.Store(&linked)
	s.changed = time.Now()
}

// leave runs when the publisher closes.
func (s *SharedPublisher[T]) leave() {
	s.exchange.removePublisher(s.pub.topic, s)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isClosed, s.history = true, nil
}

// Topic returns the full name of the topic.
func (s *SharedPublisher[T]) Topic() string { return s.pub.topic }

// GID returns the publisher's identity in the graph.
func (s *SharedPublisher[T]) GID() GID { return s.pub.gid }

// HasSubscribers tells whether anybody would receive a message now.
func (s *SharedPublisher[T]) HasSubscribers() bool {
	return s.pub.HasSubscribers() || len(*s.linked.Load()) > 0
}

// SubscriptionCount returns the number of matched subscriptions.
func (s *SharedPublisher[T]) SubscriptionCount() int {
	return max(s.pub.SubscriptionCount(), len(*s.linked.Load()))
}

// Close withdraws the publisher. Closing twice is harmless.
func (s *SharedPublisher[T]) Close() error { return s.pub.Close() }
