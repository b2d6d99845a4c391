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

// shop is an exchange with what a test sells and buys there.
type shop struct {
	x       Exchange
	matched atomic.Int32
	now     time.Time
}

// sell makes a publisher of numbers whose GID is id; change adjusts it.
func (s *shop) sell(id byte, change func(*PublisherConfig)) *Publisher[int] {
	cfg := PublisherConfig{
		Exchange: &s.x, Topic: "x", GID: GID{id}, Limit: 3, Matched: &s.matched, Now: func() time.Time { return s.now },
		Suits: func(terms any) bool { return terms != "never" },
	}
	if change != nil {
		change(&cfg)
	}
	return NewPublisher[int](cfg)
}

// basket keeps what a subscriber got.
type basket struct {
	*Subscriber[int]
	got   []int
	infos []Info
}

// buy makes a subscriber; change adjusts it.
func (s *shop) buy(change func(*SubscriberConfig[int])) *basket {
	b := &basket{}
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

func (b *basket) want(t *testing.T, what string, got ...int) {
	t.Helper()
	if !slices.Equal(b.got, got) || b.Received() != int64(len(got)) {
		t.Errorf("%s: got %v, counted %d, want %v", what, b.got, b.Received(), got)
	}
}

func number(i int) *int { return &i }

// TestWhoGetsWhat: the same topic, Go type and suitable terms; each message comes with its publisher, number and time.
func TestWhoGetsWhat(t *testing.T) {
	s := &shop{now: time.Unix(7, 0)}
	good := s.buy(nil)
	var alone int
	plain := s.buy(func(c *SubscriberConfig[int]) { c.Plain = func(m *int) { alone += *m } })
	unsuitable := s.buy(func(c *SubscriberConfig[int]) { c.Terms = "never" })
	elsewhere := s.buy(func(c *SubscriberConfig[int]) { c.Topic = "y" })
	apart := s.buy(func(c *SubscriberConfig[int]) { c.Exchange = nil })
	letters := NewSubscriber(SubscriberConfig[string]{Exchange: &s.x, Topic: "x", Limit: 1, Plain: func(*string) { t.Error("a letter") }})
	letters.Join()
	p := s.sell(5, nil)
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
	if alone != 6 || plain.Received() != 3 {
		t.Errorf("plain: sum %d, counted %d", alone, plain.Received())
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

// TestComingAndGoing: who leaves hears no more and keeps its count; a closed publisher is forgotten, and so is a topic
// without parties.
func TestComingAndGoing(t *testing.T) {
	s := &shop{}
	p := s.sell(1, nil)
	if p.Publish(number(0)) {
		t.Error("a message without subscribers was not left to the transport")
	}
	a := s.buy(nil)
	p.Publish(number(1))
	b := s.buy(nil)
	p.Publish(number(2))
	a.Leave()
	a.Close(time.Second)
	p.Publish(number(3))
	a.want(t, "a", 1, 2)
	b.want(t, "b", 2, 3)
	q := s.sell(2, nil)
	q.Publish(number(4))
	p.Close()
	p.Close()
	if b.Linked(GID{1}) || !b.Linked(GID{2}) {
		t.Error("links after closing")
	}
	late := s.buy(nil)
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

// TestKept: a publisher that keeps messages gives the last ones to those that come late and want them.
func TestKept(t *testing.T) {
	s := &shop{}
	p := s.sell(1, func(c *PublisherConfig) { c.Keeps = true })
	for i := range 5 {
		if p.Publish(number(i)) {
			t.Error("a message for those that come late was not left to the transport")
		}
	}
	wants := s.buy(func(c *SubscriberConfig[int]) { c.Replays, c.Limit = true, 1 })
	wants.want(t, "wants the past", 2, 3, 4)
	indifferent := s.buy(nil)
	p.Publish(number(5))
	wants.want(t, "wants the past", 2, 3, 4, 5)
	indifferent.want(t, "does not", 5)
	p.Close()
	after := s.buy(func(c *SubscriberConfig[int]) { c.Replays = true })
	after.want(t, "after the end")
}

// TestAlone: the transport is spared a message only when it is sure that it has no reader of its own for it.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shop{}
		p := s.sell(1, nil)
		supervised := s.sell(2, func(c *PublisherConfig) { c.Supervised = true })
		s.buy(nil)
		s.matched.Store(1)
		if p.Publish(number(1)) {
			t.Error("at once: the transport may be behind")
		}
		time.Sleep(matchLag + time.Millisecond)
		if !p.Publish(number(2)) || !p.Publish(number(3)) {
			t.Error("later")
		}
		if supervised.Publish(number(3)) {
			t.Error("the transport supervises what it sees")
		}
		s.matched.Store(2)
		if p.Publish(number(4)) {
			t.Error("another subscription matches, on another machine")
		}
		s.matched.Store(1)
		s.buy(nil)
		if p.Publish(number(5)) {
			t.Error("right after a change")
		}
	})
}

// TestCircle: a callback that publishes to its own topic does not wait for itself, and of what waits meanwhile the last
// messages stay.
func TestCircle(t *testing.T) {
	s := &shop{}
	p := s.sell(1, nil)
	var got []int
	sub := s.buy(func(c *SubscriberConfig[int]) {
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

// TestDepths: of what waits each subscriber gets as many as its own limit, and counts these.
func TestDepths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &shop{}
		p := s.sell(1, nil)
		n := rapid.IntRange(0, 8).Draw(t, "messages")
		var baskets []*basket
		var limits []int
		first := s.buy(func(c *SubscriberConfig[int]) {
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
			baskets = append(baskets, s.buy(func(c *SubscriberConfig[int]) { c.Limit = limit }))
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

// TestClosedWhileMessagesWait: who closes in a callback gets none of what waits.
func TestClosedWhileMessagesWait(t *testing.T) {
	s := &shop{}
	p := s.sell(1, nil)
	second := s.buy(nil)
	var third *basket
	s.buy(func(c *SubscriberConfig[int]) {
		c.Callback = nil
		c.Plain = func(m *int) {
			if *m == 0 {
				p.Publish(number(1))
				third.Leave()
				third.box.closed.Store(true) // as Close does first
			}
		}
	})
	third = s.buy(nil)
	p.Publish(number(0))
	second.want(t, "second", 0, 1)
	if third.Received() != int64(len(third.got)) || slices.Contains(third.got, 1) {
		t.Errorf("third got %v, counted %d", third.got, third.Received())
	}
}

func TestNoAllocation(t *testing.T) {
	s := &shop{}
	p := s.sell(1, nil)
	heard := 0
	for range 3 {
		s.buy(func(c *SubscriberConfig[int]) { c.Callback = func(*int, Info) { heard++ } })
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

// TestPublishersShareALane: messages of two publishers of a topic come one at a time, each in its own order and with
// its own numbers.
func TestPublishersShareALane(t *testing.T) {
	s := &shop{}
	a, b := s.sell(1, nil), s.sell(2, nil)
	all := s.buy(nil)
	for i := range 3 {
		a.Publish(number(10 + i))
		b.Publish(number(20 + i))
	}
	all.want(t, "all", 10, 20, 11, 21, 12, 22)
	if last := all.infos[5]; last.Publisher != (GID{2}) || last.Sequence != 3 || a.lane != b.lane {
		t.Errorf("%+v", last)
	}
}

// A number passed by pointer: the subscriber sees the publisher's own.
func Example() {
	var exchange Exchange
	var matched atomic.Int32 // the subscriptions that a transport knows of
	publisher := NewPublisher[int](PublisherConfig{
		Exchange: &exchange, Topic: "/numbers", GID: GID{1}, Limit: 1, Matched: &matched, Now: time.Now,
		Suits: func(any) bool { return true },
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
