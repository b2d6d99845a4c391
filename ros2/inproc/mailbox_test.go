// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// However many goroutines put, the callback runs once at a time, each sender's messages arrive in order, and none is
// lost below the limit.
func TestMailboxConcurrently(t *testing.T) {
	const senders, messages = 8, 500
	var inside atomic.Int32
	var got [senders][]int64
	var handled sync.WaitGroup // a goroutine of the dispatcher may handle the last ones
	handled.Add(senders * messages)
	b := newMailbox(newDispatcher(), func(m *int, info Info) {
		if inside.Add(1) != 1 {
			t.Error("two callbacks at a time")
		}
		got[*m] = append(got[*m], info.Sequence)
		inside.Add(-1)
		handled.Done()
	}, MaxWaiting)
	var wg sync.WaitGroup
	for i := range senders {
		wg.Go(func() {
			for j := range messages {
				if j%7 == 3 {
					b.post(Received[int]{&i, Info{Sequence: int64(j)}})
					b.dispatcher.work()
					continue
				}
				b.put(&i, Info{Sequence: int64(j)})
			}
		})
	}
	wg.Wait()
	handled.Wait()
	b.close(time.Second)
	b.close(time.Second)
	b.put(new(int), Info{})
	if b.post(Received[int]{}); b.dispatcher.claimed || b.queue.Len() > 0 {
		t.Error("a closed mailbox wants work")
	}
	for i, seqs := range got {
		if len(seqs) != messages || !slices.IsSorted(seqs) {
			t.Errorf("sender %d: %d messages, in order: %v", i, len(seqs), slices.IsSorted(seqs))
		}
	}
}

// Closing at any time neither hangs nor is followed by a callback.
func TestMailboxCloseAtAnyTime(t *testing.T) {
	for range 200 {
		var closed, late atomic.Bool
		b := newMailbox(newDispatcher(), func(*int, Info) {
			if closed.Load() {
				late.Store(true)
			}
		}, 2)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 20 {
					b.put(new(int), Info{})
				}
			})
		}
		b.close(time.Second)
		closed.Store(true)
		wg.Wait()
		if late.Load() {
			t.Fatal("a callback after close")
		}
	}
}

// Used sequentially, a mailbox is a queue of the last messages: posted ones precede those of a later put.
func TestMailboxProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(1, 4).Draw(t, "depth")
		var got, want, waiting []int64
		b := newMailbox(newDispatcher(), func(_ *int, info Info) { got = append(got, info.Sequence) }, depth)
		for i := range int64(rapid.IntRange(0, 30).Draw(t, "steps")) {
			switch rapid.SampledFrom([]string{"put", "post", "work"}).Draw(t, "step") {
			case "put":
				b.put(nil, Info{Sequence: i})
				waiting = append(waiting, i)
				want = append(want, waiting[max(0, len(waiting)-depth):]...)
				waiting = nil
			case "post":
				b.post(Received[int]{nil, Info{Sequence: i}})
				waiting = append(waiting, i)
			case "work":
				b.dispatcher.work()
				want, waiting = append(want, waiting...), nil
			}
			waiting = waiting[max(0, len(waiting)-depth):]
		}
		b.dispatcher.work()
		want = append(want, waiting...)
		b.close(time.Second)
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
