// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/fifo"
)

// join adds a source to a group.
func join(t interface{ Fatal(...any) }, g *Group, limit int) *source {
	q, err := g.Join(ros2.CallbackSource{Kind: ros2.SubscriptionCallback, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	p, ok := q.(*source)
	if !ok {
		t.Fatal("no queue of an executor")
	}
	return p
}

// TestPostTakesNoLock: while the executor is locked, several goroutines post callbacks, and the running one ends.
func TestPostTakesNoLock(t *testing.T) {
	e := NewMultiThreaded(2)
	p := join(t, e.NewGroup(Reentrant), inboxSize)
	ctx, stop := context.WithCancel(t.Context())
	var spinning task.Group
	spinning.Go("spin", func() {
		if err := e.Spin(ctx); err != nil {
			t.Error(err)
		}
	})
	begun, end := make(chan struct{}), make(chan struct{})
	p.Post(func() {
		close(begun)
		<-end
	})
	<-begun
	var ran atomic.Int64
	func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		var posting task.Group
		for range 2 {
			posting.Go("post", func() {
				for range inboxSize / 4 {
					p.Post(func() { ran.Add(1) })
				}
			})
		}
		if !posting.WaitFor(time.Minute) {
			t.Error("posting waits for the lock")
		}
		close(end)
	}()
	for begin := time.Now(); ran.Load() < inboxSize/2; runtime.Gosched() {
		if time.Since(begin) > time.Minute {
			t.Fatalf("%d callbacks ran of %d", ran.Load(), inboxSize/2)
		}
	}
	stop()
	spinning.Wait()
}

// A full inbox is emptied by who posts: nothing waits for the executor to spin, and no more is kept than the limit.
func TestFullInbox(t *testing.T) {
	for _, limit := range []int{0, 3} {
		e := NewSingleThreaded()
		p := join(t, e.NewGroup(Exclusive), limit)
		var ran []int
		const posts = 3*inboxSize + 7
		for i := range posts {
			p.Post(func() { ran = append(ran, i) })
			if n := p.waiting.Load(); limit > 0 && int(n) > limit {
				t.Fatalf("%d wait, limit %d", n, limit)
			}
		}
		if err := e.SpinSome(); err != nil {
			t.Fatal(err)
		}
		want := posts
		if limit > 0 {
			want = limit
		}
		if len(ran) != want || ran[0] != posts-want || ran[want-1] != posts-1 || p.Lost() != int64(posts-want) {
			t.Errorf("limit %d: ran %v, %d lost", limit, ran, p.Lost())
		}
	}
}

// Callbacks of several goroutines that post to a small inbox, which is often full, run once each and in the order of
// their goroutine, and exclusive ones exclude each other.
func TestPostingAtTheSameTime(t *testing.T) {
	const posters, each = 4, 500
	for threads := 1; threads <= 3; threads++ {
		e := NewMultiThreaded(threads)
		e.inbox = fifo.NewInbox[posted](2)
		ctx, stop := context.WithCancel(t.Context())
		var spinning, posting task.Group
		spinning.Go("spin", func() {
			if err := e.Spin(ctx); err != nil {
				t.Error(err)
			}
		})
		g := e.NewGroup(Exclusive)
		all, n := make(chan struct{}), 0
		for range posters {
			p, next := join(t, g, 0), 0
			posting.Go("post", func() {
				for i := range each {
					p.Post(func() {
						if i != next {
							t.Errorf("callback %d, want %d", i, next)
						}
						next = i + 1
						if n++; n == posters*each {
							close(all)
						}
					})
				}
			})
		}
		posting.Wait()
		<-all
		stop()
		spinning.Wait()
		if s := e.mu.idle.state.Load(); s != 0 {
			t.Errorf("threads %d: the parking ends in state %x", threads, s)
		}
	}
}

// Sources are queues of their limit, whatever the order of posting, closing and running: the model is a slice for each.
func TestQueuesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := NewEvents()
		g := e.NewGroup(Exclusive)
		type queue struct {
			*source
			want   []int
			lost   int64
			closed bool
		}
		var queues []*queue
		for _, limit := range rapid.SliceOfN(rapid.IntRange(0, 4), 1, 3).Draw(t, "limits") {
			queues = append(queues, &queue{source: join(t, g, limit)})
		}
		var ran []int
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			q := queues[rapid.IntRange(0, len(queues)-1).Draw(t, "queue")]
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				q.closed, q.want = true, nil
				q.Close(0)
			case 1:
				want := 0
				for _, q := range queues {
					want += len(q.want)
				}
				ran = ran[:0]
				if err := e.SpinSome(); err != nil || len(ran) != want {
					t.Fatalf("%d ran, want %d: %v", len(ran), want, err)
				}
				for i := 1; i < len(ran); i++ {
					if ran[i-1] >= ran[i] {
						t.Fatalf("ran %v", ran)
					}
				}
				for _, q := range queues {
					q.want = nil
				}
			default:
				q.Post(func() { ran = append(ran, i) })
				if limit := q.source.source.Limit; !q.closed {
					if q.want = append(q.want, i); limit > 0 && len(q.want) > limit {
						q.want = q.want[1:]
						q.lost++
					}
				}
			}
			if q.Lost() != q.lost || q.queue.Len() != len(q.want) {
				t.Fatalf("%d lost and %d wait, want %d and %d", q.Lost(), q.queue.Len(), q.lost, len(q.want))
			}
		}
	})
}
