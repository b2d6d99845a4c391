// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/internal/fifo"
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
	seed       atomic.Uint32 // of the goroutines' stripes

	mu       sync.Mutex       // acquired before the dispatcher's
	history  []Received[T]    // if it keeps messages, oldest first
	retired  []*recipients[T] // replaced ones with concurrent callbacks that may still run
	isClosed bool

	waiting fifo.Queue[waiting[T]] // guarded by dispatcher.mu
	next    waiting[T]             // used by the dispatcher's owner
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
// calling goroutine before Publish returns, unless one of the topic is handling an earlier message: then those that are
// not concurrent run later on its goroutine. Of messages that wait for that, a subscriber gets the last ones of each
// publisher, as many as its limit. Publish reports whether all matched subscriptions are linked; if not, the transport
// must send m, too.
//
// The messages of one goroutine are handled in order. Those that several goroutines publish at the same time are
// handled in any order, as are their numbers (TestMessagesOfAGoroutineStayInOrder).
func (s *Publisher[T]) Publish(m *T) (allLinked bool) {
	current := s.recipients.Load()
	if s.cfg.Keeps {
		return s.publishKept(m)
	}
	if len(current.subs) == 0 {
		return false
	}
	// The dispatcher is entered before the message is counted for its recipients: so a subscriber that is closed
	// meanwhile either waits for the dispatcher or is none of them.
	owner := len(current.dispatched) > 0 && s.dispatcher.enter()
	to, stripe, counted := s.count()
	r := Received[T]{Message: m}
	if to.informed {
		s.stamp(&r.Info)
		r.Info.Sequence = to.number(counted)
	}
	s.callConcurrent(to, stripe, &r)
	switch {
	case owner:
		to.serial.call(&r)
		s.dispatcher.leave()
	case len(to.dispatched) > 0:
		if s.wait(r, to) {
			s.dispatcher.drain()
		}
	}
	return s.allLinked(to)
}

// publishKept is Publish if the message must be kept: then the lock orders the history and the waiting messages.
func (s *Publisher[T]) publishKept(m *T) (allLinked bool) {
	r := Received[T]{Message: m}
	s.stamp(&r.Info)
	s.mu.Lock()
	owner, claimed := s.dispatcher.enter(), false
	to, stripe, counted := s.count()
	r.Info.Sequence = to.number(counted)
	s.keepLocked(r)
	if !owner {
		claimed = s.wait(r, to)
	}
	s.mu.Unlock()
	s.callConcurrent(to, stripe, &r)
	if owner {
		to.serial.call(&r)
		s.dispatcher.leave()
	} else if claimed {
		s.dispatcher.drain()
	}
	return s.allLinked(to)
}

// count counts a message and returns its recipients, and what to leave after the concurrent callbacks.
func (s *Publisher[T]) count() (to *recipients[T], entered *stripe, counted int64) {
	for {
		to = s.recipients.Load()
		if entered, counted = to.usage.enter(&s.seed); entered != nil {
			return to, entered, counted
		}
		s.awaitRecipients(to)
	}
}

// awaitRecipients returns when a set of recipients, which is retired, has been replaced.
func (s *Publisher[T]) awaitRecipients(old *recipients[T]) {
	for s.recipients.Load() == old {
		s.mu.Lock()   // held by the goroutine that replaces it
		s.mu.Unlock() //nolint:staticcheck // nothing else to do
	}
}

// callConcurrent runs the concurrent callbacks and ends the use of the recipients.
func (s *Publisher[T]) callConcurrent(to *recipients[T], entered *stripe, r *Received[T]) {
	if to.concurrent.any() {
		to.concurrent.call(r)
		to.usage.leave(entered)
	}
}

// total returns how many messages were published to all sets of recipients.
func (s *Publisher[T]) total() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.recipients.Load()
	return a.base + a.usage.total()
}

// replaceLocked makes next the recipients and returns the number of messages published before.
func (s *Publisher[T]) replaceLocked(next *recipients[T]) int64 {
	old := s.recipients.Load()
	next.base = old.base + old.usage.retire()
	s.recipients.Store(next)
	if old.concurrent.any() {
		s.retired = append(s.retired, old)
	}
	s.retired = slices.DeleteFunc(s.retired, func(a *recipients[T]) bool { return a.usage.idle() })
	return next.base
}

// usedLocked returns the usage of replaced sets of recipients in which a callback of a subscription may still run.
func (s *Publisher[T]) usedLocked(sub *Subscriber[T]) (all []*usage) {
	for _, a := range s.retired {
		if sub.cfg.Concurrent && slices.Contains(a.subs, sub) {
			all = append(all, a.usage)
		}
	}
	return all
}

// stamp sets the metadata of a message, but for its number. Reading the clock takes longer than passing a message to
// ten subscriptions, so it is done only if one of them needs it.
func (s *Publisher[T]) stamp(info *Info) {
	now := s.cfg.Now()
	info.SourceTime, info.ReceivedTime, info.Publisher = now, now, s.cfg.GID
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

// wait queues a message for the dispatcher's owner. If it returns true there is none and the caller must drain the
// dispatcher.
func (s *Publisher[T]) wait(r Received[T], to *recipients[T]) (claimed bool) {
	if len(to.dispatched) == 0 {
		return false
	}
	s.dispatcher.mu.Lock()
	defer s.dispatcher.mu.Unlock()
	first := s.waiting.Len() == 0
	if s.waiting.Len() >= to.most {
		s.waiting.Pop().to.drop()
	}
	s.waiting.Push(waiting[T]{Received: r, to: to})
	return first && s.dispatcher.enqueueLocked(s)
}

func (s *Publisher[T]) takeLocked() (more bool) {
	s.next = s.waiting.Pop()
	s.next.newer = s.waiting.Len()
	return s.waiting.Len() > 0
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
	passed := s.replaceLocked(s.recipients.Load().without(sub))
	sub.unlink(s.cfg.GID, passed, s.usedLocked(sub))
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
