// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// PublisherConfig configures a [Publisher].
type PublisherConfig struct {
	Exchange *Exchange
	Topic    string // full name
	GID      GID
	// Limit is how many messages it keeps for later subscribers if Keeps is set.
	Limit int
	Keeps bool
	// Supervised means that the transport supervises the messages, so that it must get all of them.
	Supervised bool
	// Matched is the number of subscriptions known to the transport, including those in this process.
	Matched *atomic.Int32
	// Now is the clock of the messages' time stamps.
	Now func() time.Time
	// Matches reports whether a subscription with these terms matches, see [SubscriberConfig].
	Matches func(terms any) bool
}

// Publisher sends messages of type T by pointer to the subscribers of its exchange.
// It is safe for concurrent use.
type Publisher[T any] struct {
	cfg        PublisherConfig
	dispatcher *dispatcher
	recipients atomic.Pointer[recipients[T]]
	// counted is the epoch of the recipients and the messages published to them. One atomic addition reads both, so
	// that a message is counted for exactly its recipients, although they may change at any time.
	counted atomic.Int64

	mu       sync.Mutex    // acquired before the dispatcher's
	history  []Received[T] // if it keeps messages, oldest first
	isClosed bool

	waiting fifo[waiting[T]] // guarded by dispatcher.mu
	next    waiting[T]       // used by the dispatcher's owner
}

// waiting is a message published while the dispatcher had an owner.
type waiting[T any] struct {
	Received[T]
	to    *recipients[T]
	newer int // messages that wait after it
}

// matchLag is how long the number of matched subscriptions may lag behind a change of the linked ones: meanwhile
// messages are also sent by the transport even if all matched ones seem to be linked.
const matchLag = time.Second

// NewPublisher creates a publisher and links it to the subscribers of the exchange.
func NewPublisher[T any](cfg PublisherConfig) *Publisher[T] {
	s := &Publisher[T]{cfg: cfg}
	s.recipients.Store(newRecipients[T](nil))
	cfg.Exchange.addPublisher(cfg.Topic, s)
	return s
}

// Publish passes m to the subscribers: neither the caller nor they may modify it afterwards. Callbacks run on the
// calling goroutine before Publish returns, unless one of the topic is handling an earlier message: then they run later
// on its goroutine. Of messages that wait for that, a subscriber gets the last ones of each publisher, as many as its
// limit. Publish reports whether all matched subscriptions are linked; if not, the transport must send m, too.
func (s *Publisher[T]) Publish(m *T) (allLinked bool) {
	if !s.cfg.Keeps && len(s.recipients.Load().subs) == 0 {
		return false
	}
	if s.cfg.Keeps || !s.dispatcher.enter() {
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
	s.dispatcher.leave()
	return s.allLinked(to)
}

// publishLocked is Publish if the message must be kept or queued for the dispatcher's owner.
func (s *Publisher[T]) publishLocked(m *T) (allLinked bool) {
	info := s.stamp(0)
	s.mu.Lock()
	owner, claimed := s.dispatcher.enter(), false
	to := s.recipients.Load()
	info.Sequence = to.base + s.counted.Add(1)&countMask
	r := Received[T]{m, info}
	if s.cfg.Keeps {
		s.keepLocked(r)
	}
	if !owner {
		claimed = s.waitLocked(r, to)
	}
	s.mu.Unlock()
	if owner {
		to.call(&r)
		s.dispatcher.leave()
	} else if claimed {
		s.dispatcher.drain()
	}
	return s.allLinked(to)
}

// Parts of SharedPublisher.counted.
const (
	countBits = 48
	countMask = 1<<countBits - 1
	countFull = 1 << (countBits - 1) // then a new epoch begins
)

// count counts a message and returns its recipients and its sequence number. Only the owner of the dispatcher may call
// it without the lock.
func (s *Publisher[T]) count() (to *recipients[T], sequence int64) {
	to = s.recipients.Load()
	counted := s.counted.Add(1)
	if to.epoch != counted>>countBits { // it was just replaced
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

// renew starts a new epoch with the same subscriptions.
func (s *Publisher[T]) renew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counted.Load()&countMask > countFull {
		next := newRecipients(s.recipients.Load().subs)
		next.settled.Store(true)
		s.replaceLocked(next)
	}
}

// total returns how many messages were published in all epochs.
func (s *Publisher[T]) total() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recipients.Load().base + s.counted.Load()&countMask
}

// replaceLocked makes next the recipients and returns the number of messages published before.
func (s *Publisher[T]) replaceLocked(next *recipients[T]) int64 {
	old := s.recipients.Load()
	next.epoch = (old.epoch + 1) & (1<<(63-countBits) - 1)
	next.base = old.base + s.counted.Swap(next.epoch<<countBits)&countMask
	old.next = next
	s.recipients.Store(next)
	return next.base
}

// stamp returns the metadata of a message. Reading the clock takes longer than passing a message to ten subscriptions,
// so it is done only if one of them needs it.
func (s *Publisher[T]) stamp(sequence int64) Info {
	now := s.cfg.Now()
	return Info{SourceTime: now, ReceivedTime: now, Publisher: s.cfg.GID, Sequence: sequence}
}

// allLinked reports whether all matched subscriptions are linked.
func (s *Publisher[T]) allLinked(to *recipients[T]) bool {
	if s.cfg.Keeps || len(to.subs) == 0 || int(s.cfg.Matched.Load()) > len(to.subs) {
		return false
	}
	if to.settled.Load() {
		return true
	}
	if s.cfg.Supervised || time.Since(to.since) <= matchLag {
		return false // the transport must get all messages
	}
	to.settled.Store(true)
	return true
}

// keepLocked adds a message to the history.
func (s *Publisher[T]) keepLocked(r Received[T]) {
	s.history = append(s.history, r)
	if len(s.history) > s.cfg.Limit {
		s.history = slices.Delete(s.history, 0, 1)
	}
}

// waitLocked queues a message for the dispatcher's owner. If it returns true there is none and the caller must drain
// the dispatcher.
func (s *Publisher[T]) waitLocked(r Received[T], to *recipients[T]) (claimed bool) {
	if len(to.subs) == 0 {
		return false
	}
	s.dispatcher.mu.Lock()
	defer s.dispatcher.mu.Unlock()
	first := s.waiting.n == 0
	if s.waiting.n >= to.most {
		s.waiting.pop().to.drop()
	}
	s.waiting.push(waiting[T]{Received: r, to: to})
	return first && s.dispatcher.enqueueLocked(s)
}

func (s *Publisher[T]) takeLocked() (more bool) {
	s.next = s.waiting.pop()
	s.next.newer = s.waiting.n
	return s.waiting.n > 0
}

func (s *Publisher[T]) run() {
	next := s.next
	s.next = waiting[T]{}
	next.to.callWaiting(&next.Received, next.newer)
}

// join sets the dispatcher of the publisher's topic.
func (s *Publisher[T]) join(l *dispatcher) { s.dispatcher = l }

// link links a subscription if it matches.
func (s *Publisher[T]) link(subscription any) {
	sub, ok := subscription.(*Subscriber[T])
	if !ok || !s.cfg.Matches(sub.cfg.Terms) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed {
		return
	}
	sub.link(s.cfg.GID, s, s.replaceLocked(s.recipients.Load().with(sub)))
	if sub.cfg.Replays {
		for _, r := range s.history {
			sub.box.replay(r) // handled when no lock is held
		}
	}
}

// unlink removes the link of a subscription.
func (s *Publisher[T]) unlink(subscription any) {
	sub, ok := subscription.(*Subscriber[T])
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sub.unlink(s.cfg.GID, s.replaceLocked(s.recipients.Load().without(sub)))
}

// Close removes the publisher from the exchange.
func (s *Publisher[T]) Close() {
	s.cfg.Exchange.removePublisher(s.cfg.Topic, s)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isClosed, s.history = true, nil
}

// Subscribers returns the number of linked subscribers.
func (s *Publisher[T]) Subscribers() int { return len(s.recipients.Load().subs) }
