// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// numbered is a message: the goroutine that published it, and its number there.
type numbered struct{ goroutine, number int }

// TestMessagesOfAGoroutineStayInOrder: while subscribers join and close, a serial subscriber, and each of those, gets
// the messages of each publishing goroutine in order. Between goroutines that publish at the same time there is no
// order.
func TestMessagesOfAGoroutineStayInOrder(t *testing.T) {
	const goroutines, each = 3, 20_000
	x := new(Exchange)
	pub := NewPublisher[numbered](PublisherConfig{Exchange: x, Topic: "x", GID: GID{1}, Limit: MaxWaiting, Matched: new(atomic.Int32), Now: time.Now,
		Matches: func(any) bool { return true }})
	subscribe := func() *Subscriber[numbered] {
		last := map[int]int{}
		s := NewSubscriber(SubscriberConfig[numbered]{Exchange: x, Topic: "x", Limit: MaxWaiting, Callback: func(m *numbered, _ Info) {
			if m.number <= last[m.goroutine] {
				t.Errorf("number %d of goroutine %d after %d", m.number, m.goroutine, last[m.goroutine])
			}
			last[m.goroutine] = m.number
		}})
		s.Join()
		return s
	}
	steady := subscribe()
	var publishing, closing sync.WaitGroup
	for g := range goroutines {
		publishing.Go(func() {
			for i := range each {
				pub.Publish(&numbered{g, i + 1})
			}
		})
	}
	done := make(chan struct{})
	closing.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				s := subscribe()
				s.Leave()
				s.Close(time.Minute)
			}
		}
	})
	publishing.Wait()
	close(done)
	closing.Wait()
	steady.Leave()
	steady.Close(time.Minute)
}

// TestCopiesOfPassedMessagesAreIgnoredAfterTheLink: what the transport delivers late of a publisher that has closed was
// passed by pointer already, and is older. Of publishers that were never linked everything is handled.
func TestCopiesOfPassedMessagesAreIgnoredAfterTheLink(t *testing.T) {
	x := new(Exchange)
	sub := listen(x, 3, func(*int64) {}, nil)
	for i := range byte(3 * maxEnded) {
		gid := GID{1, i}
		pub := NewPublisher[int64](PublisherConfig{Exchange: x, Topic: "x", GID: gid, Limit: 1, Matched: new(atomic.Int32), Now: time.Now,
			Matches: func(any) bool { return true }})
		pub.Publish(new(int64))
		pub.Close()
		if !sub.Linked(gid) || sub.Received() != int64(i)+1 {
			t.Fatalf("publisher %d: ignored %v, %d messages", i, sub.Linked(gid), sub.Received())
		}
	}
	if n := len(*sub.links.Load()); n != maxEnded {
		t.Errorf("%d links are remembered, want %d", n, maxEnded)
	}
	if sub.Linked(GID{9}) {
		t.Error("a publisher that was never linked is ignored")
	}
}
