// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// pair creates an exchange with one publisher, without a transport.
func pair() (*Exchange, *Publisher[int64]) {
	x, matched := new(Exchange), new(atomic.Int32)
	return x, NewPublisher[int64](PublisherConfig{
		Exchange: x, Topic: "x", GID: GID{1}, Limit: MaxWaiting, Matched: matched, Now: time.Now, Matches: func(any) bool { return true },
	})
}

// listen creates a subscriber.
func listen(x *Exchange, limit int, plain func(*int64), callback func(*int64, Info)) *Subscriber[int64] {
	s := NewSubscriber(SubscriberConfig[int64]{Exchange: x, Topic: "x", Limit: limit, Plain: plain, Callback: callback})
	s.Join()
	return s
}

// Subscriptions join and leave while several goroutines publish: each counts exactly its callbacks, with rising
// sequence numbers.
func TestSharedCountsExactly(t *testing.T) {
	const seed = 1
	x, pub := pair()
	steady := listen(x, MaxWaiting, func(*int64) {}, nil)
	var publishers, others sync.WaitGroup
	stop := make(chan struct{})
	var mu sync.Mutex
	var all []func() // checked when nothing waits any more
	const each = 3000
	for range 3 {
		publishers.Go(func() {
			for i := range each {
				m := int64(i)
				pub.Publish(&m)
			}
		})
	}
	for i := range 3 {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		others.Go(func() {
			for running := true; running; {
				select {
				case <-stop:
					running = false
				default:
				}
				var received atomic.Int64
				var sub *Subscriber[int64]
				if random.IntN(2) == 0 {
					sub = listen(x, 1+random.IntN(20), func(*int64) { received.Add(1) }, nil)
				} else {
					sub = listen(x, 1+random.IntN(20), nil, func(_ *int64, info Info) {
						received.Add(1)
						if info.SourceTime.IsZero() || info.Publisher != (GID{1}) {
							t.Errorf("info %+v", info)
						}
					})
				}
				sub.Leave()
				sub.Close(time.Second)
				mu.Lock()
				all = append(all, func() {
					if counted := sub.Received(); counted != received.Load() {
						t.Errorf("counted %d, received %d", counted, received.Load())
					}
				})
				mu.Unlock()
			}
		})
	}
	publishers.Wait()
	close(stop)
	others.Wait()
	for pub.dispatcher.state.Load() != dispatcherIdle {
		runtime.Gosched()
	}
	for _, check := range all {
		check()
	}
	if counted := steady.Received(); counted != 3*each || pub.total() != 3*each {
		t.Errorf("the steady one counted %d, the publisher %d, want %d", counted, pub.total(), 3*each)
	}
}

// A message whose recipients have been replaced is counted for the current ones, however often that happens.
func TestCountFollowsRecipients(t *testing.T) {
	_, pub := pair()
	old := pub.recipients.Load()
	pub.Publish(new(int64))
	for range 3 {
		pub.mu.Lock()
		pub.replaceLocked(newRecipients[int64](nil))
		pub.mu.Unlock()
	}
	current := pub.recipients.Load()
	if entered, _ := old.usage.enter(&pub.seed); entered != nil {
		t.Error("a retired recipients is entered")
	}
	if to, _, counted := pub.count(); to != current || counted != 1 || pub.total() != 1 {
		t.Errorf("the current one: %v, number %d, total %d", to == current, counted, pub.total())
	}
}

// A goroutine that publishes while the recipients are replaced waits for the next ones.
func TestPublishDuringReplacement(t *testing.T) {
	x, pub := pair()
	sub := listen(x, 1, func(*int64) {}, nil)
	pub.mu.Lock()
	old := pub.recipients.Load()
	next := newRecipients(old.subs)
	next.base = old.base + old.usage.retire()
	var publisher sync.WaitGroup
	publisher.Go(func() { pub.Publish(new(int64)) })
	runtime.Gosched()
	if next.usage.total() != 0 {
		t.Error("counted before the replacement")
	}
	pub.recipients.Store(next)
	pub.mu.Unlock()
	publisher.Wait()
	if sub.Received() != 1 {
		t.Errorf("received %d", sub.Received())
	}
}
