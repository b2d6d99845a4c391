// SPDX-License-Identifier: Apache-2.0

package waitset_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

func newSet(t testing.TB, conditions ...waitset.Condition) *waitset.Set {
	t.Helper()
	s, err := waitset.New(conditions...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Wait returns all conditions that are ready, in the order of the set, until they are taken.
func TestWaitReturnsWhatIsReady(t *testing.T) {
	q, other, g := waitset.NewQueue[int](2), waitset.NewQueue[int](2), new(waitset.Guard)
	s := newSet(t, q, other, g)
	ctx := context.Background()
	if _, err := s.Wait(ctx, 0); !errors.Is(err, waitset.ErrTimeout) {
		t.Errorf("nothing is ready: %v", err)
	}
	g.Trigger()
	g.Trigger()
	q.Put(1)
	for range 2 { // level-triggered
		if ready, err := s.Wait(ctx, -1); err != nil || !slices.Equal(ready, []waitset.Condition{q, g}) {
			t.Fatalf("ready: %v, %v", ready, err)
		}
	}
	if !g.Take() || g.Take() {
		t.Error("a guard condition is taken once, however often it was triggered")
	}
	q.Take()
	if _, err := s.Wait(ctx, 0); !errors.Is(err, waitset.ErrTimeout) {
		t.Errorf("all is taken: %v", err)
	}
}

// A timeout lasts exactly its time, although conditions become ready and are taken elsewhere meanwhile.
func TestWaitTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := new(waitset.Guard)
		s := newSet(t, g)
		go func() {
			time.Sleep(time.Second)
			s.Add(spurious{})
		}()
		began := time.Now()
		_, err := s.Wait(t.Context(), 3*time.Second)
		if took := time.Since(began); !errors.Is(err, waitset.ErrTimeout) || took != 3*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// spurious is a condition that is never ready but wakes the set when it is added.
type spurious struct{}

func (spurious) Ready() bool         { return false }
func (spurious) Attach(func()) error { return nil }
func (spurious) Detach()             {}

// The end of the context ends Wait, before it looks at the conditions.
func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := new(waitset.Guard)
		s := newSet(t, g)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Wait(ctx, -1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waiting: %v", err)
		}
		g.Trigger()
		if _, err := s.Wait(ctx, -1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("before waiting: %v", err)
		}
	})
}

// A condition belongs to one set at a time; adding to a set that waits wakes it.
func TestConditionsBelongToOneSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := new(waitset.Guard), new(waitset.Guard)
		first := newSet(t, a)
		if _, err := waitset.New(b, a); !errors.Is(err, waitset.ErrInUse) {
			t.Errorf("a condition of another set: %v", err)
		}
		second := newSet(t, b) // the failed set has released it
		a.Trigger()
		go func() {
			first.Remove(a)
			if err := second.Add(a); err != nil {
				t.Error(err)
			}
		}()
		if ready, err := second.Wait(t.Context(), -1); err != nil || !slices.Equal(ready, []waitset.Condition{a}) {
			t.Errorf("ready: %v, %v", ready, err)
		}
		first.Remove(a) // of another set: nothing
		if err := first.Add(a); !errors.Is(err, waitset.ErrInUse) {
			t.Errorf("it belongs to the second set: %v", err)
		}
	})
}

// No wake-up is lost: each value that four goroutines put is taken, though the waiting goroutine waits whenever the
// queues are empty.
func TestNoWakeUpIsLost(t *testing.T) {
	const goroutines, each = 4, 5000
	var queues []*waitset.Queue[int]
	s := newSet(t)
	for range goroutines {
		q := waitset.NewQueue[int](goroutines * each)
		queues = append(queues, q)
		if err := s.Add(q); err != nil {
			t.Fatal(err)
		}
	}
	var senders sync.WaitGroup
	for _, q := range queues {
		senders.Go(func() {
			for i := range each {
				q.Put(i)
			}
		})
	}
	var all []int
	for len(all) < goroutines*each {
		ready, err := s.Wait(t.Context(), -1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range ready {
			all = c.(*waitset.Queue[int]).TakeAll(all)
		}
	}
	senders.Wait()
}

func TestNoAllocationInTheSteadyState(t *testing.T) {
	q, g := waitset.NewQueue[int](8), new(waitset.Guard)
	s := newSet(t, q, g)
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() {
		q.Put(1)
		g.Trigger()
		if _, err := s.Wait(ctx, time.Second); err != nil {
			t.Error(err)
		}
		q.Take()
		g.Take()
		_, _ = s.Wait(ctx, 0)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
