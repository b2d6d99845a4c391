// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// link is a subscriber's side of its link to a [Publisher]. The publisher has one count for all its subscribers; base
// is its count before the link.
type link struct {
	publisher interface{ total() int64 } // nil after the link has ended
	base      int64
}

// maxEnded bounds the ended links that are remembered. A publisher's messages are passed by pointer and sent by the
// transport, whose copies may arrive after the publisher has closed: without its link they would be handled, twice and
// after newer ones.
const maxEnded = 64

// SubscriberConfig configures a [Subscriber].
type SubscriberConfig[T any] struct {
	Exchange *Exchange // nil: all messages arrive through the transport
	Topic    string    // full name
	// Limit bounds the waiting messages.
	Limit int
	// Replays requests the messages that a publisher has kept.
	Replays bool
	// Terms are the argument of PublisherConfig.Matches.
	Terms any
	// Concurrent allows several goroutines to run the callback at the same time.
	Concurrent bool
	// Plain, or Callback if it is nil, is called with each message, one at a time unless Concurrent is set.
	Plain    func(*T)
	Callback func(*T, Info)
}

// Subscriber calls a subscription's callback with the messages of the publishers of its exchange, and with those from
// the transport.
type Subscriber[T any] struct {
	cfg      SubscriberConfig[T]
	plain    func(*T)
	callback func(*T, Info) // nil if plain is not
	box      *mailbox[T]
	links    atomic.Pointer[map[GID]link] // publishers whose messages are passed by pointer
	received atomic.Int64
	puts     *usage // of the callback for messages from the transport, if it is concurrent
	seed     atomic.Uint32

	mu     sync.Mutex
	closed bool
	used   []*usage // in which the callback may still run although the link was removed
	ended  []GID    // links that have ended and are remembered, the oldest first
}

// NewSubscriber creates a subscriber, which gets no messages before [Subscriber.Join].
func NewSubscriber[T any](cfg SubscriberConfig[T]) *Subscriber[T] {
	s := &Subscriber[T]{cfg: cfg, plain: cfg.Plain, callback: cfg.Callback}
	s.links.Store(new(map[GID]link))
	s.puts = newUsage(false)
	s.box = newMailbox(newDispatcher(), func(m *T, info Info) {
		s.received.Add(1)
		s.call(m, info)
	}, cfg.Limit)
	return s
}

// Join links the subscriber with the publishers of the exchange, and handles the messages that they have kept.
func (s *Subscriber[T]) Join() {
	if s.cfg.Exchange == nil {
		return
	}
	s.cfg.Exchange.addSubscription(s.cfg.Topic, s)
	s.box.dispatcher.work()
}

// Leave removes the links.
func (s *Subscriber[T]) Leave() {
	if s.cfg.Exchange != nil {
		s.cfg.Exchange.removeSubscription(s.cfg.Topic, s)
	}
}

// Linked reports whether the messages of a publisher are, or were, passed by pointer: then those from the transport
// must be ignored.
func (s *Subscriber[T]) Linked(publisher GID) bool {
	_, linked := (*s.links.Load())[publisher]
	return linked
}

// Put handles a message from the transport.
func (s *Subscriber[T]) Put(m *T, info Info) {
	if !s.cfg.Concurrent {
		s.box.put(m, info)
		return
	}
	if entered, _ := s.puts.enter(&s.seed); entered != nil {
		s.received.Add(1)
		defer s.puts.leave(entered) // also after a fault in memory that another process has truncated, which the caller catches
		s.call(m, info)
	}
}

// Received returns how many messages the callback was called with.
func (s *Subscriber[T]) Received() int64 {
	n := s.received.Load()
	for _, l := range *s.links.Load() {
		if l.publisher != nil {
			n += l.publisher.total() - l.base
		}
	}
	return n
}

// Close drops waiting messages and waits, up to timeout, until the callback has returned. It reports whether it has.
// Leave precedes it.
func (s *Subscriber[T]) Close(timeout time.Duration) (ended bool) {
	end := time.Now().Add(timeout)
	ended = s.box.close(timeout)
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		s.puts.retire()
		s.used = append(s.used, s.puts)
	}
	used := slices.Clone(s.used)
	s.mu.Unlock()
	for _, u := range used {
		ended = u.await(time.Until(end)) && ended
	}
	return ended
}

// join sets the dispatcher of the subscriber's topic.
func (s *Subscriber[T]) join(l *dispatcher) { s.box.dispatcher = l }

// call runs the callback.
func (s *Subscriber[T]) call(m *T, info Info) {
	if s.plain != nil {
		s.plain(m)
		return
	}
	s.callback(m, info)
}

// link makes the subscriber ignore the publisher's messages from the transport. The publisher is locked, and had
// published passed messages before.
func (s *Subscriber[T]) link(gid GID, publisher interface{ total() int64 }, passed int64) {
	s.change(func(links map[GID]link) {
		links[gid] = link{publisher, passed}
		s.ended = slices.DeleteFunc(s.ended, func(e GID) bool { return e == gid })
	})
}

// unlink undoes link and keeps the count. The callback may still run in used.
func (s *Subscriber[T]) unlink(gid GID, passed int64, used []*usage) {
	s.mu.Lock()
	s.used = slices.DeleteFunc(append(s.used, used...), (*usage).idle)
	s.mu.Unlock()
	s.change(func(links map[GID]link) {
		if l, ok := links[gid]; ok && l.publisher != nil {
			links[gid] = link{}
			s.received.Add(passed - l.base)
			if s.ended = append(s.ended, gid); len(s.ended) > maxEnded {
				delete(links, s.ended[0])
				s.ended = slices.Delete(s.ended, 0, 1)
			}
		}
	})
}

// change replaces the map of links, which is immutable.
func (s *Subscriber[T]) change(change func(map[GID]link)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	links := maps.Clone(*s.links.Load())
	if links == nil {
		links = make(map[GID]link)
	}
	change(links)
	s.links.Store(&links)
}
