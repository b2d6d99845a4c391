// SPDX-License-Identifier: Apache-2.0

package executor_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
)

// Each source runs one callback per round, timers first, then subscriptions, services and replies, in whatever order
// they became due.
func TestRounds(t *testing.T) {
	e := executor.NewSingleThreaded()
	g := e.NewGroup(executor.Exclusive)
	var ran record
	kinds := []ros2.CallbackKind{ros2.ReplyCallback, ros2.ServiceCallback, ros2.SubscriptionCallback, ros2.SubscriptionCallback, ros2.TimerCallback}
	for i, kind := range kinds {
		p := place(t, g, kind, "x", 0)
		for n := range 2 {
			p.Post(func() { ran.add(fmt.Sprintf("%v%d%d", kind, i, n)) })
		}
	}
	if err := e.SpinSome(); err != nil {
		t.Fatal(err)
	}
	ran.expect(t, "two rounds", "timer40", "subscription20", "subscription30", "service10", "reply00",
		"timer41", "subscription21", "subscription31", "service11", "reply01")
}

// A timer that is always due starves no other (rclcpp issue 392), nor does any other source.
func TestNoSourceStarvesAnother(t *testing.T) {
	for name, e := range map[string]*executor.Executor{
		"single": executor.NewSingleThreaded(), "multi": executor.NewMultiThreaded(3), "events": executor.NewEvents(),
		"ordered": executor.NewOrdered(executor.Ordered{}), "logical": executor.NewOrdered(executor.Ordered{LogicalTime: true}),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := e.NewGroup(executor.Exclusive)
				timer, service := place(t, g, ros2.TimerCallback, "t", 1), place(t, g, ros2.ServiceCallback, "s", 0)
				done := make(chan struct{})
				var again func()
				var turns atomic.Int64
				again = func() {
					turns.Add(1)
					select {
					case <-done:
					default:
						timer.Post(again)
					}
				}
				timer.Post(again)
				stop := spin(t, e)
				service.Post(func() { close(done) })
				<-done
				stop()
				if turns.Load() == 0 {
					t.Error("the timer did not run")
				}
			})
		})
	}
}

// Events run in order of arrival, over all sources.
func TestEventsRunInOrderOfArrival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := executor.NewEvents()
		g := e.NewGroup(executor.Exclusive)
		var places []ros2.CallbackQueue
		for _, kind := range []ros2.CallbackKind{ros2.ReplyCallback, ros2.SubscriptionCallback, ros2.TimerCallback} {
			p, _ := g.Join(ros2.CallbackSource{Kind: kind})
			places = append(places, p)
		}
		var ran []int
		which := rapid.SliceOfN(rapid.IntRange(0, 2), 0, 30).Draw(t, "which")
		for i, w := range which {
			places[w].Post(func() { ran = append(ran, i) })
		}
		if err := e.SpinSome(); err != nil {
			t.Fatal(err)
		}
		for i, n := range ran {
			if n != i {
				t.Fatalf("ran %v", ran)
			}
		}
		if len(ran) != len(which) {
			t.Fatalf("%d ran of %d", len(ran), len(which))
		}
	})
}

// A queue holds as many as the limit; the oldest are dropped and counted.
func TestOldestIsDroppedBeyondLimit(t *testing.T) {
	for _, e := range []*executor.Executor{executor.NewSingleThreaded(), executor.NewEvents(), executor.NewOrdered(executor.Ordered{})} {
		p := place(t, e.NewGroup(executor.Exclusive), ros2.SubscriptionCallback, "x", 3)
		var ran record
		for i := range 10 {
			p.Post(func() { ran.add(fmt.Sprint(i)) })
		}
		if err := e.SpinSome(); err != nil {
			t.Fatal(err)
		}
		if ran.expect(t, "of ten", "7", "8", "9"); p.Lost() != 7 {
			t.Errorf("%d lost, want 7", p.Lost())
		}
	}
}

// Exclusive callbacks never overlap, whatever the number of threads and of sources; several groups do.
func TestGroupsExclude(t *testing.T) {
	for threads := 1; threads <= 4; threads++ {
		e := executor.NewMultiThreaded(threads)
		var all sync.WaitGroup
		for range 3 {
			g := e.NewGroup(executor.Exclusive)
			inside := 0 // no lock: the race detector sees what the group does not order
			for _, kind := range []ros2.CallbackKind{ros2.TimerCallback, ros2.SubscriptionCallback} {
				p := place(t, g, kind, "x", 0)
				for range 100 {
					all.Add(1)
					p.Post(func() {
						if inside++; inside != 1 {
							t.Error("two at a time")
						}
						inside--
						all.Done()
					})
				}
			}
		}
		stop := spin(t, e)
		all.Wait()
		stop()
	}
}

// Two groups run at the same time on two threads, and a reentrant one overlaps with itself.
func TestThreadsOverlap(t *testing.T) {
	for _, c := range []struct {
		name   string
		groups func(e *executor.Executor) [2]*executor.Group
	}{
		{"two exclusive groups", func(e *executor.Executor) [2]*executor.Group {
			return [2]*executor.Group{e.NewGroup(executor.Exclusive), e.NewGroup(executor.Exclusive)}
		}},
		{"one reentrant group", func(e *executor.Executor) [2]*executor.Group {
			g := e.NewGroup(executor.Reentrant)
			return [2]*executor.Group{g, g}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				e := executor.NewMultiThreaded(2)
				var both sync.WaitGroup
				both.Add(2)
				for _, g := range c.groups(e) {
					place(t, g, ros2.SubscriptionCallback, "x", 0).Post(func() {
						both.Done()
						both.Wait() // blocks forever if they exclude each other
					})
				}
				stop := spin(t, e)
				both.Wait()
				stop()
			})
		})
	}
}

// A callback whose group is busy keeps its position: two timers of a group alternate (rclcpp issue 2645).
func TestBusyGroupsKeepTheirPosition(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewMultiThreaded(2)
		g := e.NewGroup(executor.Exclusive)
		var ran record
		for _, name := range []string{"a", "b"} {
			p := place(t, g, ros2.TimerCallback, name, 0)
			for range 4 {
				p.Post(func() {
					ran.add(name)
					time.Sleep(time.Millisecond)
				})
			}
		}
		stop := spin(t, e)
		time.Sleep(time.Second)
		stop()
		ran.expect(t, "two timers", "a", "b", "a", "b", "a", "b", "a", "b")
	})
}

// Callbacks that become due during SpinSome wait for the next one, and Spin runs the remaining ones.
func TestSpinSomeEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewMultiThreaded(2)
		p := place(t, e.NewGroup(executor.Exclusive), ros2.SubscriptionCallback, "x", 0)
		var runs atomic.Int64
		var again func()
		again = func() {
			runs.Add(1)
			p.Post(again)
		}
		p.Post(again)
		for want := int64(1); want < 4; want++ {
			if err := e.SpinSome(); err != nil || runs.Load() != want {
				t.Fatalf("%d runs, want %d: %v", runs.Load(), want, err)
			}
		}
		if !p.Close(timeout) {
			t.Error("a callback is at work")
		}
		if err := e.SpinSome(); err != nil || runs.Load() != 3 {
			t.Errorf("%d runs after the end: %v", runs.Load(), err)
		}
	})
}

// Spin ends with its context, once running callbacks have returned; only one may spin at a time.
func TestSpinEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewSingleThreaded()
		p := place(t, e.NewGroup(executor.Exclusive), ros2.SubscriptionCallback, "x", 0)
		gate := make(chan struct{})
		p.Post(func() { <-gate })
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- e.Spin(ctx) }()
		synctest.Wait()
		if err := e.Spin(ctx); !errors.Is(err, executor.ErrSpinning) {
			t.Errorf("twice: %v", err)
		}
		if err := e.SpinSome(); !errors.Is(err, executor.ErrSpinning) {
			t.Errorf("second Spin: %v", err)
		}
		if busy := e.Busy(); len(busy) != 1 || busy[0].Source.Name != "x" || busy[0].Waits {
			t.Errorf("busy %+v", busy)
		}
		cancel()
		synctest.Wait()
		select {
		case <-ended:
			t.Error("it has ended before its callback")
		default:
		}
		close(gate)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if busy := e.Busy(); len(busy) != 0 {
			t.Errorf("busy %+v", busy)
		}
	})
}

// Close waits for the running callback, up to the timeout, and not if called from it.
func TestQueuesClose(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := executor.NewSingleThreaded()
		g := e.NewGroup(executor.Exclusive)
		p := place(t, g, ros2.SubscriptionCallback, "x", 0)
		gate, self := make(chan struct{}), make(chan bool, 1)
		p.Post(func() { <-gate })
		spin(t, e)
		synctest.Wait()
		p.Post(func() { t.Error("it ran after the end") })
		begun := time.Now()
		if p.Close(timeout) || time.Since(begun) != timeout {
			t.Errorf("ended after %v", time.Since(begun))
		}
		if p.Close(0) {
			t.Error("ended at once")
		}
		time.AfterFunc(time.Millisecond, func() { close(gate) })
		if !p.Close(timeout) {
			t.Error("not ended")
		}
		p.Post(func() { t.Error("it ran after the end") })
		q := place(t, g, ros2.SubscriptionCallback, "y", 0)
		q.Post(func() { self <- q.Close(timeout) })
		if !<-self {
			t.Error("the callback waited for itself")
		}
	})
}

// TestPostingDoesNotAllocate: once the queues have their size, posting and running callbacks of several sources does
// not allocate.
func TestPostingDoesNotAllocate(t *testing.T) {
	e := executor.NewSingleThreaded()
	group := e.NewGroup(executor.Exclusive)
	ran := 0
	call := func() { ran++ }
	var queues []ros2.CallbackQueue
	for range 3 {
		q, err := group.Join(ros2.CallbackSource{Kind: ros2.SubscriptionCallback})
		if err != nil {
			t.Fatal(err)
		}
		queues = append(queues, q)
	}
	spin := func(callbacks int) float64 {
		return testing.AllocsPerRun(20, func() {
			for range callbacks {
				for _, q := range queues {
					q.Post(call)
				}
			}
			if err := e.SpinSome(); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := spin(1), spin(100); many > few || ran != 21*3*101 {
		t.Errorf("%v allocations for 300 callbacks, %v for 3; %d ran", many, few, ran)
	}
}

// TestIdleThreadsRunWhatBecomesFree: with callbacks of exclusive groups and several threads none remains although its
// group is free and a thread is idle.
func TestIdleThreadsRunWhatBecomesFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := executor.NewMultiThreaded(3)
		ctx, stop := context.WithCancel(t.Context())
		var spinning sync.WaitGroup
		spinning.Go(func() {
			if err := e.Spin(ctx); err != nil {
				t.Error(err)
			}
		})
		const groups, each = 4, 50
		var ran [groups]int
		for i := range groups {
			group := e.NewGroup(executor.Exclusive)
			for range 2 {
				q, err := group.Join(ros2.CallbackSource{Kind: ros2.SubscriptionCallback})
				if err != nil {
					t.Fatal(err)
				}
				for j := range each {
					q.Post(func() {
						ran[i]++
						time.Sleep(time.Duration(1+(i+j)%3) * time.Millisecond)
					})
				}
			}
		}
		begin := time.Now()
		time.Sleep(time.Hour)
		stop()
		spinning.Wait()
		if time.Since(begin) != time.Hour || ran != [groups]int{2 * each, 2 * each, 2 * each, 2 * each} {
			t.Errorf("ran %v", ran)
		}
	})
}
