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
	lane     *lane
	audience atomic.Pointer[audience[T]]
	passed   atomic.Int64 // messages given to each linked subscription

	mu       sync.Mutex // taken before the lane's
	sequence int64
	changed  time.Time     // when the audience was last replaced
	settled  bool          // that is longer ago than matchLag
	history  []Received[T] // of a transient-local publisher, oldest first
	isClosed bool

	waiting fifo[waiting[T]] // guarded by lane.mu
	next    waiting[T]       // of the lane's owner
}

// waiting is a message published while the lane had an owner.
type waiting[T any] struct {
	Received[T]
	to    *audience[T]
	newer int // messages that wait behind it
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
	s.audience.Store(new(audience[T]))
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
// before Publish returns, unless one of the topic is at work with an earlier
// message: then they follow on its goroutine. Of messages that wait so a
// subscription gets the last of each publisher, as many as its depth.
func (s *SharedPublisher[T]) Publish(m *T) error {
	keeps := s.pub.qos.Durability == TransientLocal
	if !keeps && len(s.audience.Load().subs) == 0 {
		return s.pub.Publish(m)
	}
	now := s.pub.node.clock.Now()
	r := Received[T]{m, MessageInfo{SourceTime: now, ReceivedTime: now, Publisher: s.pub.gid}}
	owner := s.lane != nil && s.lane.enter()
	s.mu.Lock()
	s.sequence++
	r.Info.Sequence = s.sequence
	if keeps && s.lane != nil {
		s.keepLocked(r)
	}
	to, claimed := s.audience.Load(), false
	s.passed.Add(1)
	if !owner {
		claimed = s.waitLocked(r, to)
	}
	alone := s.aloneLocked(to)
	s.mu.Unlock()
	if owner {
		to.call(r)
		s.lane.leave()
	} else if claimed {
		s.lane.drain()
	}
	if alone {
		return nil
	}
	return s.pub.Publish(m)
}

// aloneLocked tells whether nobody but the linked subscriptions wants messages.
func (s *SharedPublisher[T]) aloneLocked(to *audience[T]) bool {
	if len(to.subs) == 0 || s.pub.qos.Durability == TransientLocal || s.pub.SubscriptionCount() > len(to.subs) {
		return false
	}
	if !s.settled {
		s.settled = time.Since(s.changed) > matchLag
	}
	return s.settled
}

// keepLocked adds a message to the history.
func (s *SharedPublisher[T]) keepLocked(r Received[T]) {
	s.history = append(s.history, r)
	if len(s.history) > waitingLimit(s.pub.qos) {
		s.history = slices.Delete(s.history, 0, 1)
	}
}

// waitLocked leaves a message to the lane's owner. If it reports true there is none
// and the caller must drain the lane.
func (s *SharedPublisher[T]) waitLocked(r Received[T], to *audience[T]) (claimed bool) {
	if len(to.subs) == 0 {
		return false
	}
	s.lane.mu.Lock()
	defer s.lane.mu.Unlock()
	first := s.waiting.n == 0
	if s.waiting.n >= to.most {
		s.waiting.pop().to.drop()
	}
	s.waiting.push(waiting[T]{Received: r, to: to})
	return first && s.lane.attendLocked(s)
}

func (s *SharedPublisher[T]) takeLocked() (more bool) {
	s.next = s.waiting.pop()
	s.next.newer = s.waiting.n
	return s.waiting.n > 0
}

func (s *SharedPublisher[T]) run() {
	next := s.next
	s.next = waiting[T]{}
	next.to.callWaiting(next.Received, next.newer)
}

// join puts the publisher in the lane of its topic.
func (s *SharedPublisher[T]) join(l *lane) { s.lane = l }

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
	sub.link(s.pub.gid, &s.passed)
	s.audience.Store(s.audience.Load().with(sub))
	s.changed, s.settled = time.Now(), false
	if sub.qos.Durability == TransientLocal {
		for _, r := range s.history {
			sub.box.replay(r) // handled when no lock is held
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
	sub.unlink(s.pub.gid)
	s.audience.Store(s.audience.Load().without(sub))
	s.changed, s.settled = time.Now(), false
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
	return s.pub.HasSubscribers() || len(s.audience.Load().subs) > 0
}

// SubscriptionCount returns the number of matched subscriptions.
func (s *SharedPublisher[T]) SubscriptionCount() int {
	return max(s.pub.SubscriptionCount(), len(s.audience.Load().subs))
}

// Close withdraws the publisher. Closing twice is harmless.
func (s *SharedPublisher[T]) Close() error { return s.pub.Close() }
