// SPDX-License-Identifier: Apache-2.0

package task

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestGoRunsOnAnotherGoroutine(t *testing.T) {
	done := make(chan struct{})
	Go("work", func() { close(done) })
	<-done
}

func TestRunRunsOnThisGoroutine(t *testing.T) {
	ran := false // the race detector would report another one
	Run("main", func() { ran = true })
	if !ran {
		t.Error("it did not run before Run returned")
	}
}

func TestAfterFuncWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		ran := make(chan time.Duration, 2)
		AfterFunc(3*time.Second, "late", func() { ran <- time.Since(begin) })
		if took := <-ran; took != 3*time.Second {
			t.Errorf("ran after %v", took)
		}
		if !AfterFunc(time.Second, "stopped", func() { ran <- 0 }).Stop() {
			t.Error("Stop: it had run already")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(ran) > 0 {
			t.Error("it ran after Stop")
		}
	})
}

func TestAfterDoneFollowsItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		var ran atomic.Int32
		AfterDone(ctx, "end", func() { ran.Add(1) })
		stop := AfterDone(ctx, "taken back", func() { ran.Add(10) })
		if !stop() {
			t.Error("stop: it had run already")
		}
		time.Sleep(time.Second - 1)
		synctest.Wait()
		if n := ran.Load(); n != 0 {
			t.Errorf("%d before the end of the context", n)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if n := ran.Load(); n != 1 {
			t.Errorf("%d after the end of the context, want 1", n)
		}
	})
}

func TestGroupWaitsForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group
		g.Wait() // an empty one has ended
		for i := range 3 {
			g.Go("sleeping", func() { time.Sleep(time.Duration(i+1) * time.Second) })
		}
		begin := time.Now()
		if g.WaitFor(2 * time.Second) {
			t.Error("WaitFor: all ended before the last one did")
		}
		if took := time.Since(begin); took != 2*time.Second {
			t.Errorf("WaitFor gave up after %v", took)
		}
		<-g.Done()
		g.Wait()
		if took := time.Since(begin); took != 3*time.Second {
			t.Errorf("ended after %v", took)
		}
		if !g.WaitFor(time.Second) {
			t.Error("WaitFor: a group that has ended is waited for")
		}
	})
}

// A group that catches panics continues with its other goroutines, and reports each panic.
func TestGroupCatchesEveryPanic(t *testing.T) {
	var mu sync.Mutex
	reported := map[string]any{}
	g := Group{Panicked: func(p *Panic) {
		mu.Lock()
		defer mu.Unlock()
		reported[p.Task] = p.Value
		if !strings.Contains(string(p.Stack), "TestGroupCatchesEveryPanic") {
			t.Errorf("%s: the stack does not show where: %s", p.Task, p.Stack)
		}
	}}
	var ended atomic.Int32
	for _, name := range []string{"a", "b", "c"} {
		g.Go(name, func() {
			defer ended.Add(1)
			if name != "b" {
				panic("in " + name)
			}
		})
	}
	g.Wait()
	mu.Lock()
	defer mu.Unlock()
	if len(reported) != 2 || reported["a"] != "in a" || reported["c"] != "in c" || ended.Load() != 3 {
		t.Errorf("reported %v, %d ended", reported, ended.Load())
	}
}

// First aid is taken back by the one who registered it, in any order, and twice is harmless.
func TestFirstAidIsTakenBack(t *testing.T) {
	count := func() int {
		aids.mu.Lock()
		defer aids.mu.Unlock()
		return len(aids.all)
	}
	before := count()
	first, second := AtPanic(func(*Panic) {}), AtPanic(func(*Panic) {})
	if n := count(); n != before+2 {
		t.Errorf("%d are registered, want %d", n, before+2)
	}
	first()
	first()
	if n := count(); n != before+1 {
		t.Errorf("%d are left, want %d", n, before+1)
	}
	second()
	if n := count(); n != before {
		t.Errorf("%d are left, want %d", n, before)
	}
}
