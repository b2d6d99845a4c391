// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// listenConcurrently creates a subscriber with a concurrent callback.
func listenConcurrently(x *Exchange, plain func(*int64), callback func(*int64, Info)) *Subscriber[int64] {
	s := NewSubscriber(SubscriberConfig[int64]{Exchange: x, Topic: "x", Limit: 1, Concurrent: true, Plain: plain, Callback: callback})
	s.Join()
	return s
}

// TestConcurrentCallbacksOverlap: the callback of one subscriber runs on two goroutines at the same time, for messages
// of one publisher and for those from the transport, while that of another one runs one at a time.
func TestConcurrentCallbacksOverlap(t *testing.T) {
	x, pub := pair()
	var inside, serial atomic.Int32
	both := make(chan struct{})
	sub := listenConcurrently(x, func(*int64) {
		if inside.Add(1) == 3 {
			close(both)
		}
		<-both
	}, nil)
	listen(x, 2, func(*int64) {
		if serial.Add(1) != 1 {
			t.Error("two callbacks at a time")
		}
		serial.Add(-1)
	}, nil)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { pub.Publish(new(int64)) })
	}
	all.Go(func() { sub.Put(new(int64), Info{}) })
	all.Wait()
	if sub.Received() != 3 {
		t.Errorf("received %d, want 3", sub.Received())
	}
}

// TestConcurrentCountsExactly: subscribers of all kinds join and leave while several goroutines publish with two
// publishers: each counts exactly its callbacks, gets none after Close, and no number of a publisher twice.
func TestConcurrentCountsExactly(t *testing.T) {
	const seed, each = 1, 2000
	x, pub := pair()
	second := NewPublisher[int64](PublisherConfig{
		Exchange: x, Topic: "x", GID: GID{2}, Limit: MaxWaiting, Matched: new(atomic.Int32), Now: time.Now, Matches: func(any) bool { return true },
	})
	var plain atomic.Int64
	steady := listenConcurrently(x, func(*int64) { plain.Add(1) }, nil)
	var publishers, others sync.WaitGroup
	for i := range 4 {
		publishers.Go(func() {
			for range each {
				[]*Publisher[int64]{pub, pub, second, second}[i].Publish(new(int64))
			}
		})
	}
	stop := make(chan struct{})
	for i := range 3 {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		others.Go(func() {
			for running := true; running; {
				select {
				case <-stop:
					running = false
				default:
				}
				var received, late atomic.Int64
				var closed atomic.Bool
				var mu sync.Mutex
				numbers := map[GID]map[int64]bool{{1}: {}, {2}: {}}
				count := func() {
					received.Add(1)
					if closed.Load() {
						late.Add(1)
					}
				}
				sub := listenConcurrently(x, func(*int64) { count() }, nil)
				if random.IntN(2) == 0 {
					sub.Leave()
					sub.Close(time.Minute)
					sub = listenConcurrently(x, nil, func(_ *int64, info Info) {
						mu.Lock()
						defer mu.Unlock()
						if numbers[info.Publisher][info.Sequence] || info.Sequence < 1 || info.Sequence > 2*each || info.SourceTime.IsZero() {
							t.Errorf("twice or wrong: %+v", info)
						}
						numbers[info.Publisher][info.Sequence] = true
						if closed.Load() {
							late.Add(1)
						}
					})
					received.Store(0)
				}
				if i == 0 { // some that are not concurrent, too
					s := listen(x, 3, func(*int64) {}, nil)
					s.Leave()
					s.Close(time.Minute)
				}
				sub.Leave()
				if !sub.Close(time.Minute) {
					t.Error("not closed")
				}
				closed.Store(true)
				got := received.Load() + int64(len(numbers[GID{1}])+len(numbers[GID{2}]))
				if counted := sub.Received(); counted != got || late.Load() != 0 {
					t.Errorf("counted %d, received %d, %d after Close", counted, got, late.Load())
				}
			}
		})
	}
	publishers.Wait()
	close(stop)
	others.Wait()
	if counted := steady.Received(); counted != 4*each || plain.Load() != 4*each || pub.total()+second.total() != 4*each {
		t.Errorf("the steady one counted %d of %d, the publishers %d, want %d", counted, plain.Load(), pub.total()+second.total(), 4*each)
	}
}

// TestConcurrentNumbers: messages of several goroutines have the publisher's running numbers, also after a time in
// which no subscriber needed them.
func TestConcurrentNumbers(t *testing.T) {
	x, pub := pair()
	listenConcurrently(x, func(*int64) {}, nil)
	const before, each = 10, 300
	for range before {
		pub.Publish(new(int64))
	}
	var mu sync.Mutex
	var got, want []int64
	listenConcurrently(x, nil, func(_ *int64, info Info) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, info.Sequence)
	})
	var publishers sync.WaitGroup
	for range 4 {
		publishers.Go(func() {
			for range each {
				pub.Publish(new(int64))
			}
		})
	}
	publishers.Wait()
	for i := range int64(4 * each) {
		want = append(want, before+1+i)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%d numbers from %d to %d", len(got), got[0], got[len(got)-1])
	}
}

// TestCloseWaitsForConcurrentCallbacks: Close waits, up to its timeout, for each running callback, whether its message
// came from a publisher, from one that has closed, or from the transport.
func TestCloseWaitsForConcurrentCallbacks(t *testing.T) {
	for _, source := range []string{"publisher", "closed publisher", "transport"} {
		t.Run(source, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x, pub := pair()
				gate := make(chan struct{})
				ran := 0
				sub := listenConcurrently(x, func(*int64) {
					ran++
					<-gate
				}, nil)
				go func() {
					if source == "transport" {
						sub.Put(new(int64), Info{})
						return
					}
					pub.Publish(new(int64))
				}()
				synctest.Wait()
				if source == "closed publisher" {
					pub.Close()
				}
				sub.Leave()
				begin := time.Now()
				if sub.Close(time.Second) || time.Since(begin) != time.Second {
					t.Errorf("closed after %v although the callback runs", time.Since(begin))
				}
				go func() {
					time.Sleep(time.Minute)
					close(gate)
				}()
				if !sub.Close(time.Hour) || time.Since(begin) != time.Second+time.Minute {
					t.Errorf("closed after %v", time.Since(begin))
				}
				pub.Publish(new(int64))
				sub.Put(new(int64), Info{})
				if !sub.Close(0) || ran != 1 {
					t.Errorf("%d callbacks", ran)
				}
			})
		})
	}
}

// TestLastConcurrentCallbackEndsClose: Close returns when the last of several callbacks has returned, not before.
func TestLastConcurrentCallbackEndsClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, pub := pair()
		var delays atomic.Int64
		sub := listenConcurrently(x, func(*int64) { time.Sleep(time.Duration(delays.Add(1)) * time.Second) }, nil)
		begin := time.Now()
		for range 5 {
			go pub.Publish(new(int64))
		}
		synctest.Wait()
		listenConcurrently(x, func(*int64) {}, nil) // the recipients are replaced before the subscriber leaves
		go pub.Publish(new(int64))
		synctest.Wait()
		sub.Leave()
		if !sub.Close(time.Minute) || time.Since(begin) != 6*time.Second {
			t.Errorf("closed after %v, want 6s", time.Since(begin))
		}
		if len(pub.retired) != 2 {
			t.Errorf("%d sets of recipients kept", len(pub.retired))
		}
		listenConcurrently(x, func(*int64) {}, nil)
		if len(pub.retired) > 0 {
			t.Errorf("%d sets of recipients kept", len(pub.retired))
		}
	})
}

// TestConcurrentGetsKeptMessages: a concurrent subscriber, too, gets what a publisher has kept, and later ones.
func TestConcurrentGetsKeptMessages(t *testing.T) {
	s := &fixture{}
	p := s.publisher(1, func(c *PublisherConfig) { c.Keeps = true })
	for i := range 5 {
		p.Publish(number(i))
	}
	sub := s.subscriber(func(c *SubscriberConfig[int]) { c.Replays, c.Concurrent = true, true })
	p.Publish(number(5))
	sub.want(t, "concurrent", 2, 3, 4, 5)
	if last := sub.infos[3].Sequence; last != 6 {
		t.Errorf("number %d, want 6", last)
	}
	sub.Leave()
	p.Publish(number(6))
	sub.want(t, "left", 2, 3, 4, 5)
}

func TestConcurrentPublishDoesNotAllocate(t *testing.T) {
	x, pub := pair()
	for range 10 {
		listenConcurrently(x, func(*int64) {}, nil)
		listenConcurrently(x, nil, func(*int64, Info) {})
	}
	m := new(int64)
	if n := testing.AllocsPerRun(100, func() { pub.Publish(m) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestGoroutinesGetStripesOfTheirOwn: two goroutines that enter at the same time soon use different stripes.
func TestGoroutinesGetStripesOfTheirOwn(t *testing.T) {
	u := &usage{shared: make([]paddedStripe, 8), shift: 29}
	var seed atomic.Uint32
	first, _ := u.enter(&seed)
	if again, number := u.enter(&seed); again != first || number != 2 {
		t.Error("a goroutine changes its stripe")
	}
	other := first
	for range 100 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			other, _ = u.enter(&seed)
		}()
		<-done
		if other != first {
			return
		}
		u.contend(first, &seed) // as if both had written it at the same time
		first, _ = u.enter(&seed)
	}
	t.Error("always the same stripe")
}
