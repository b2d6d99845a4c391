// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// fixture is an exchange with the publishers and subscribers of a test.
type fixture struct {
	x       Exchange
	matched atomic.Int32
	now     time.Time
}

// publisher creates a publisher of numbers with GID id; change adjusts its configuration.
func (s *fixture) publisher(id byte, change func(*PublisherConfig)) *Publisher[int] {
	cfg := PublisherConfig{
		Exchange: &s.x, Topic: "x", GID: GID{id}, Limit: 3, Matched: &s.matched, Now: func() time.Time { return s.now },
		Matches: func(terms any) bool { return terms != "never" },
	}
	if change != nil {
		change(&cfg)
	}
	return NewPublisher[int](cfg)
}

// received collects what a subscriber receives.
type received struct {
	*Subscriber[int]
	got   []int
	infos []Info
}

// subscriber creates a subscriber; change adjusts its configuration.
func (s *fixture) subscriber(change func(*SubscriberConfig[int])) *received {
	b := &received{}
	cfg := SubscriberConfig[int]{Exchange: &s.x, Topic: "x", Limit: 3, Callback: func(m *int, info Info) {
		b.got, b.infos = append(b.got, *m), append(b.infos, info)
	}}
	if change != nil {
		change(&cfg)
	}
	b.Subscriber = NewSubscriber(cfg)
	b.Join()
	return b
}

func (b *received) want(t *testing.T, what string, got ...int) {
	t.Helper()
	if !slices.Equal(b.got, got) || b.Received() != int64(len(got)) {
		t.Errorf("%s: got %v, counted %d, want %v", what, b.got, b.Received(), got)
	}
}

func number(i int) *int { return &i }

// TestMessagesReachMatchingSubscribers: messages are passed for the same topic, Go type and matching terms, with
// publisher, number and time.
func TestMessagesReachMatchingSubscribers(t *testing.T) {
	s := &fixture{now: time.Unix(7, 0)}
	good := s.subscriber(nil)
	var allLinked int
	plain := s.subscriber(func(c *SubscriberConfig[int]) { c.Plain = func(m *int) { allLinked += *m } })
	unsuitable := s.subscriber(func(c *SubscriberConfig[int]) { c.Terms = "never" })
	elsewhere := s.subscriber(func(c *SubscriberConfig[int]) { c.Topic = "y" })
	apart := s.subscriber(func(c *SubscriberConfig[int]) { c.Exchange = nil })
	letters := NewSubscriber(SubscriberConfig[string]{Exchange: &s.x, Topic: "x", Limit: 1, Plain: func(*string) { t.Error("a letter") }})
	letters.Join()
	p := s.publisher(5, nil)
	if p.Subscribers() != 2 || !good.Linked(GID{5}) || unsuitable.Linked(GID{5}) || elsewhere.Linked(GID{5}) || apart.Linked(GID{5}) {
		t.Errorf("%d subscribers", p.Subscribers())
	}
	for i := range 3 {
		p.Publish(number(i + 1))
	}
	good.want(t, "good", 1, 2, 3)
	unsuitable.want(t, "unsuitable")
	elsewhere.want(t, "elsewhere")
	apart.want(t, "apart")
	if allLinked != 6 || plain.Received() != 3 {
		t.Errorf("plain: sum %d, counted %d", allLinked, plain.Received())
	}
	for i, info := range good.infos {
		if info.Publisher != (GID{5}) || info.Sequence != int64(i+1) || !info.SourceTime.Equal(s.now) || !info.ReceivedTime.Equal(s.now) {
			t.Errorf("info %+v", info)
		}
	}
	apart.Put(number(9), Info{})
	apart.want(t, "apart", 9)
	apart.Leave()
	letters.Leave()
	if letters.Received() != 0 {
		t.Error("letters")
	}
}

// TestLeavingSubscribersAndClosedPublishers: a subscriber that leaves gets no more messages and keeps its count; closed
// publishers and unused topics are deleted.
func TestLeavingSubscribersAndClosedPublishers(t *testing.T) {
	s := &fixture{}
	p := s.publisher(1, nil)
	if p.Publish(number(0)) {
		t.Error("a message without subscribers was not left to the transport")
	}
	a := s.subscriber(nil)
	p.Publish(number(1))
	b := s.subscriber(nil)
	p.Publish(number(2))
	a.Leave()
	a.Close(time.Second)
	p.Publish(number(3))
	a.want(t, "a", 1, 2)
	b.want(t, "b", 2, 3)
	q := s.publisher(2, nil)
	q.Publish(number(4))
	p.Close()
	p.Close()
	if !b.Linked(GID{1}) || !b.Linked(GID{2}) { // copies of what was passed by pointer are ignored, also after Close
		t.Error("messages from the transport are not ignored")
	}
	late := s.subscriber(nil)
	if late.Linked(GID{1}) {
		t.Error("linked to a closed publisher")
	}
	b.want(t, "b", 2, 3, 4)
	q.Close()
	b.Leave()
	late.Leave()
	if len(s.x.topics) != 0 {
		t.Errorf("%d topics are kept", len(s.x.topics))
	}
}

// TestLateSubscriberGetsKeptMessages: a publisher that keeps messages passes the last ones to later subscribers that
// request them.
func TestLateSubscriberGetsKeptMessages(t *testing.T) {
	s := &fixture{}
	p := s.publisher(1, func(c *PublisherConfig) { c.Keeps = true })
	for i := range 5 {
		if p.Publish(number(i)) {
			t.Error("a message for later subscriptions was not passed to the transport")
		}
	}
	wants := s.subscriber(func(c *SubscriberConfig[int]) { c.Replays, c.Limit = true, 1 })
	wants.want(t, "wants the past", 2, 3, 4)
	indifferent := s.subscriber(nil)
	p.Publish(number(5))
	wants.want(t, "wants the past", 2, 3, 4, 5)
	indifferent.want(t, "does not", 5)
	p.Close()
	after := s.subscriber(func(c *SubscriberConfig[int]) { c.Replays = true })
	after.want(t, "after the end")
}

// TestPublishReportsWhetherAllMatchedAreLinked: a message is not sent by the transport only if it certainly has no
// other reader.
func TestPublishReportsWhetherAllMatchedAreLinked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fixture{}
		p := s.publisher(1, nil)
		supervised := s.publisher(2, func(c *PublisherConfig) { c.Supervised = true })
		s.subscriber(nil)
		s.matched.Store(1)
		if p.Publish(number(1)) {
			t.Error("at once: the transport may be behind")
		}
		time.Sleep(matchLag + time.Millisecond)
		if !p.Publish(number(2)) || !p.Publish(number(3)) {
			t.Error("later")
		}
		if supervised.Publish(number(3)) {
			t.Error("the transport does not get a supervised message")
		}
		s.matched.Store(2)
		if p.Publish(number(4)) {
			t.Error("another subscription matches, on another machine")
		}
		s.matched.Store(1)
		s.subscriber(nil)
		if p.Publish(number(5)) {
			t.Error("right after a change")
		}
	})
}

// TestCallbackPublishesToOwnTopic: a callback that publishes to its own topic does not deadlock, and of the messages
// that wait meanwhile the last are kept.
func TestCallbackPublishesToOwnTopic(t *testing.T) {
	s := &fixture{}
	p := s.publisher(1, nil)
	var got []int
	sub := s.subscriber(func(c *SubscriberConfig[int]) {
		c.Callback = nil
		c.Plain = func(m *int) {
			if got = append(got, *m); *m == 0 {
				for i := range 5 {
					p.Publish(number(i + 1))
				}
			}
		}
	})
	p.Publish(number(0))
	if !slices.Equal(got, []int{0, 3, 4, 5}) || sub.Received() != 4 {
		t.Errorf("%v, counted %d", got, sub.Received())
	}
}

// TestEachSubscriberHasItsOwnLimit: of waiting messages each subscriber gets as many as its own limit, and counts
// these.
func TestEachSubscriberHasItsOwnLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &fixture{}
		p := s.publisher(1, nil)
		n := rapid.IntRange(0, 8).Draw(t, "messages")
		var baskets []*received
		var limits []int
		first := s.subscriber(func(c *SubscriberConfig[int]) {
			c.Callback, c.Limit = nil, 1
			c.Plain = func(m *int) {
				if *m == 0 {
					for i := range n {
						p.Publish(number(i + 1))
					}
				}
			}
		})
		for range rapid.IntRange(1, 4).Draw(t, "subscribers") {
			limit := rapid.IntRange(1, 6).Draw(t, "limit")
			limits = append(limits, limit)
			baskets = append(baskets, s.subscriber(func(c *SubscriberConfig[int]) { c.Limit = limit }))
		}
		p.Publish(number(0))
		for i, b := range baskets {
			want := []int{0}
			for m := max(1, n-limits[i]+1); m <= n; m++ {
				want = append(want, m)
			}
			if !slices.Equal(b.got, want) || b.Received() != int64(len(want)) {
				t.Fatalf("limit %d: %v, counted %d, want %v", limits[i], b.got, b.Received(), want)
			}
		}
		if want := int64(1 + min(n, 1)); first.Received() != want {
			t.Fatalf("the first counted %d, want %d", first.Received(), want)
		}
	})
}

// TestClosedWhileMessagesWait: a subscriber closed in a callback gets none of the waiting messages.
func TestClosedWhileMessagesWait(t *testing.T) {
	s := &fixture{}
	p := s.publisher(1, nil)
	second := s.subscriber(nil)
	var third *received
	s.subscriber(func(c *SubscriberConfig[int]) {
		c.Callback = nil
		c.Plain = func(m *int) {
			if *m == 0 {
				p.Publish(number(1))
				third.Leave()
				third.box.closed.Store(true) // as Close does first
			}
		}
	})
	third = s.subscriber(nil)
	p.Publish(number(0))
	second.want(t, "second", 0, 1)
	if third.Received() != int64(len(third.got)) || slices.Contains(third.got, 1) {
		t.Errorf("third got %v, counted %d", third.got, third.Received())
	}
}

func TestNoAllocation(t *testing.T) {
	s := &fixture{}
	p := s.publisher(1, nil)
	heard := 0
	for range 3 {
		s.subscriber(func(c *SubscriberConfig[int]) { c.Callback = func(*int, Info) { heard++ } })
	}
	m := number(1)
	if n := testing.AllocsPerRun(100, func() { p.Publish(m) }); n != 0 || heard == 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestGID(t *testing.T) {
	if g := (GID{0xAB}); g.String() != "ab"+strings.Repeat("00", 15) || g.IsZero() || !(GID{}).IsZero() {
		t.Error(g)
	}
}

// TestPublishersShareDispatcher: messages of two publishers of a topic are handled one at a time, each publisher's in
// order and with its own numbers.
func TestPublishersShareDispatcher(t *testing.T) {
	s := &fixture{}
	a, b := s.publisher(1, nil), s.publisher(2, nil)
	all := s.subscriber(nil)
	for i := range 3 {
		a.Publish(number(10 + i))
		b.Publish(number(20 + i))
	}
	all.want(t, "all", 10, 20, 11, 21, 12, 22)
	if last := all.infos[5]; last.Publisher != (GID{2}) || last.Sequence != 3 || a.dispatcher != b.dispatcher {
		t.Errorf("%+v", last)
	}
}

// A number passed by pointer: the subscriber sees the publisher's own.
func Example() {
	var exchange Exchange
	var matched atomic.Int32 // the number of subscriptions known to a transport
	publisher := NewPublisher[int](PublisherConfig{
		Exchange: &exchange, Topic: "/numbers", GID: GID{1}, Limit: 1, Matched: &matched, Now: time.Now,
		Matches: func(any) bool { return true },
	})
	var seen *int
	subscriber := NewSubscriber(SubscriberConfig[int]{Exchange: &exchange, Topic: "/numbers", Limit: 1, Plain: func(m *int) { seen = m }})
	subscriber.Join()
	m := 42
	publisher.Publish(&m)
	fmt.Println(*seen, seen == &m, subscriber.Received())
	subscriber.Leave()
	subscriber.Close(time.Second)
	publisher.Close()
	// Output: 42 true 1
}
