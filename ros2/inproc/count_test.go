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

// A message counted while the recipients are replaced goes to the recipients for which it was counted, however often
// they are replaced.
func TestCountFollowsRecipients(t *testing.T) {
	_, pub := pair()
	old := pub.recipients.Load()
	for range 3 {
		pub.mu.Lock()
		pub.replaceLocked(newRecipients[int64](nil))
		pub.mu.Unlock()
	}
	current := pub.recipients.Load()
	pub.recipients.Store(old) // as seen by a slow reader
	to, first := pub.count()
	if to != current || first != 1 {
		t.Errorf("epoch %d, number %d, want epoch %d, number 1", to.epoch, first, current.epoch)
	}
}

// When the counter is full a publisher starts a new epoch.
func TestFullCountStartsNewEpoch(t *testing.T) {
	x, pub := pair()
	var last int64
	listen(x, 1, nil, func(_ *int64, info Info) { last = info.Sequence })
	pub.counted.Add(countFull)
	for i := range int64(3) {
		if pub.Publish(new(int64)); last != countFull+1+i {
			t.Errorf("number %d, want %d", last, countFull+1+i)
		}
	}
	if c := pub.counted.Load() & countMask; c != 2 {
		t.Errorf("%d messages in the new epoch, want 2", c)
	}
}
