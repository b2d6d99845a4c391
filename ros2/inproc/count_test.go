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

// pair makes an exchange with one publisher, which no transport helps.
func pair() (*Exchange, *Publisher[int64]) {
	x, matched := new(Exchange), new(atomic.Int32)
	return x, NewPublisher[int64](PublisherConfig{
		Exchange: x, Topic: "x", GID: GID{1}, Limit: MaxWaiting, Matched: matched, Now: time.Now, Suits: func(any) bool { return true },
	})
}

// listen makes a subscriber.
func listen(x *Exchange, limit int, plain func(*int64), callback func(*int64, Info)) *Subscriber[int64] {
	s := NewSubscriber(SubscriberConfig[int64]{Exchange: x, Topic: "x", Limit: limit, Plain: plain, Callback: callback})
	s.Join()
	return s
}

// Subscriptions come and go while several goroutines publish: each counts just the
// callbacks that it got, and the numbers of its messages rise.
func TestSharedCountsExactly(t *testing.T) {
	const seed = 1
	x, pub := pair()
	steady := listen(x, MaxWaiting, func(*int64) {}, nil)
	var publishers, others sync.WaitGroup
	stop := make(chan struct{})
	var mu sync.Mutex
	var all []func() // to look at when nothing waits any more
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
				var heard atomic.Int64
				var sub *Subscriber[int64]
				if random.IntN(2) == 0 {
					sub = listen(x, 1+random.IntN(20), func(*int64) { heard.Add(1) }, nil)
				} else {
					sub = listen(x, 1+random.IntN(20), nil, func(_ *int64, info Info) {
						heard.Add(1)
						if info.SourceTime.IsZero() || info.Publisher != (GID{1}) {
							t.Errorf("info %+v", info)
						}
					})
				}
				sub.Leave()
				sub.Close(time.Second)
				mu.Lock()
				all = append(all, func() {
					if counted := sub.Received(); counted != heard.Load() {
						t.Errorf("counted %d, heard %d", counted, heard.Load())
					}
				})
				mu.Unlock()
			}
		})
	}
	publishers.Wait()
	close(stop)
	others.Wait()
	for pub.lane.state.Load() != laneIdle {
		runtime.Gosched()
	}
	for _, check := range all {
		check()
	}
	if counted := steady.Received(); counted != 3*each || pub.total() != 3*each {
		t.Errorf("the steady one counted %d, the publisher %d, want %d", counted, pub.total(), 3*each)
	}
}

// A message counted while the audience is replaced goes to those it was counted for,
// however often it was.
func TestSharedCountFollowsTheAudience(t *testing.T) {
	_, pub := pair()
	old := pub.audience.Load()
	for range 3 {
		pub.mu.Lock()
		pub.replaceLocked(newAudience[int64](nil))
		pub.mu.Unlock()
	}
	current := pub.audience.Load()
	pub.audience.Store(old) // as its reader would have it who was slow
	to, first := pub.count()
	if to != current || first != 1 {
		t.Errorf("epoch %d, number %d, want epoch %d, number 1", to.epoch, first, current.epoch)
	}
}

// A publisher never runs out of numbers.
func TestSharedCountRenewsItself(t *testing.T) {
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
