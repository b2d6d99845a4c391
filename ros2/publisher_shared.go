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
	keeps    bool // transient local
	audience atomic.Pointer[audience[T]]
	// counted is the epoch of the audience and the messages published to it. One
	// addition tells both, so that a message is counted for just whom it goes to
	// although the audience may change at any time.
	counted atomic.Int64

	mu       sync.Mutex    // taken before the lane's
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
	s := &SharedPublisher[T]{pub: pub, exchange: n.exchange(), keeps: pub.qos.Durability == TransientLocal}
	s.audience.Store(newAudience[T](nil))
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
	if s.lane == nil || !s.keeps && len(s.audience.Load().subs) == 0 {
		return s.pub.Publish(m)
	}
	if s.keeps || !s.lane.enter() {
		return s.publishLocked(m)
	}
	to, sequence := s.count()
	if len(to.informed) == 0 {
		for _, call := range to.plain {
			call(m)
		}
	} else {
		r := Received[T]{Message: m, Info: s.stamp(sequence)}
		to.call(&r)
	}
	s.lane.leave()
	if s.alone(to) {
		return nil
	}
	return s.pub.Publish(m)
}

// publishLocked is Publish for who must keep the message or leave it to the lane's
// owner.
func (s *SharedPublisher[T]) publishLocked(m *T) error {
	info := s.stamp(0)
	s.mu.Lock()
	owner, claimed := s.lane.enter(), false
	to := s.audience.Load()
	info.Sequence = to.base + s.counted.Add(1)&countMask
	r := Received[T]{m, info}
	if s.keeps {
		s.keepLocked(r)
	}
	if !owner {
		claimed = s.waitLocked(r, to)
	}
	s.mu.Unlock()
	if owner {
		to.call(&r)
		s.lane.leave()
	} else if claimed {
		s.lane.drain()
	}
	if s.alone(to) {
		return nil
	}
	return s.pub.Publish(m)
}

// Parts of SharedPublisher.counted.
const (
	countBits = 48
	countMask = 1<<countBits - 1
	countFull = 1 << (countBits - 1) // then a new epoch begins
)

// count counts a message and returns whom it goes to and its number. Only the owner
// of the lane may call it without the lock.
func (s *SharedPublisher[T]) count() (to *audience[T], sequence int64) {
	to = s.audience.Load()
	counted := s.counted.Add(1)
	if to.epoch != counted>>countBits { // it was replaced this moment
		s.mu.Lock()
		for to.epoch != counted>>countBits {
			to = to.next
		}
		s.mu.Unlock()
	}
	sequence = counted & countMask
	if sequence > countFull {
		s.renew()
	}
	return to, to.base + sequence
}

// renew begins a new epoch with the same subscriptions.
func (s *SharedPublisher[T]) renew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counted.Load()&countMask > countFull {
		next := newAudience(s.audience.Load().subs)
		next.settled.Store(true)
		s.replaceLocked(next)
	}
}

// total returns how many messages were published to all audiences.
func (s *SharedPublisher[T]) total() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.audience.Load().base + s.counted.Load()&countMask
}

// replaceLocked makes next the audience and returns the number of messages that were
// published before.
func (s *SharedPublisher[T]) replaceLocked(next *audience[T]) int64 {
	old := s.audience.Load()
	next.epoch = (old.epoch + 1) & (1<<(63-countBits) - 1)
	next.base = old.base + s.counted.Swap(next.epoch<<countBits)&countMask
	old.next = next
	s.audience.Store(next)
	return next.base
}

// stamp returns what a subscription is told of a message. Reading the clock takes
// longer than handing a message to ten subscriptions, so it is done only if one of
// them is told.
func (s *SharedPublisher[T]) stamp(sequence int64) MessageInfo {
	now := s.pub.node.clock.Now()
	return MessageInfo{SourceTime: now, ReceivedTime: now, Publisher: s.pub.gid, Sequence: sequence}
}

// alone tells whether nobody but the linked subscriptions wants messages.
func (s *SharedPublisher[T]) alone(to *audience[T]) bool {
	if s.keeps || len(to.subs) == 0 || s.pub.SubscriptionCount() > len(to.subs) {
		return false
	}
	if to.settled.Load() {
		return true
	}
	if s.pub.qos.supervised() || time.Since(to.since) <= matchLag {
		return false // the transport supervises what it sees
	}
	to.settled.Store(true)
	return true
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
	next.to.callWaiting(&next.Received, next.newer)
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
	sub.link(s.pub.gid, s, s.replaceLocked(s.audience.Load().with(sub)))
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
	sub.unlink(s.pub.gid, s.replaceLocked(s.audience.Load().without(sub)))
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
