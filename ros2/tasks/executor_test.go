// SPDX-License-Identifier: Apache-2.0

//go:build linux

package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/ros2/tasks"
	"github.com/epuck-ros2/epuck-driver/ros2/thread"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// A chain runs in order, once for each value, also for those that arrived before Run and during the chain.
func TestChainRunsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, r := waitset.NewQueue[int](10), &trace{}
		q.Put(1)
		slow := tasks.Item{Name: "b", Execute: func(context.Context) error {
			time.Sleep(time.Second)
			r.add("b")
			return nil
		}}
		start(t, tasks.Config{Threads: 3, Tasks: []tasks.Task{{
			Name: "t", Triggers: []waitset.Condition{q}, Items: []tasks.Item{r.taking("a", q), slow, r.item("c")},
		}}})
		synctest.Wait()
		q.Put(2) // while b runs
		time.Sleep(5 * time.Second)
		q.Put(3)
		time.Sleep(5 * time.Second)
		if want := "a1 b c a2 b c a3 b c"; r.String() != want {
			t.Errorf("ran %v, want %s", r, want)
		}
	})
}

// A task waits for any of its triggers, or for all.
func TestTriggers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r trace
		one, both := new(waitset.Guard), new(waitset.Guard)
		first, second := waitset.NewQueue[int](5), waitset.NewQueue[int](5)
		anyOf := tasks.Item{Name: "any", Execute: func(context.Context) error {
			r.add(fmt.Sprint("any", one.Take(), both.Take()))
			return nil
		}}
		allOf := tasks.Item{Name: "all", Execute: func(context.Context) error {
			a, _ := first.Take()
			b, _ := second.Take()
			r.add(fmt.Sprint("all", a, "+", b))
			return nil
		}}
		start(t, tasks.Config{Tasks: []tasks.Task{
			{Name: "any", Triggers: []waitset.Condition{one, both}, Items: []tasks.Item{anyOf}},
			{Name: "all", All: true, Triggers: []waitset.Condition{first, second}, Items: []tasks.Item{allOf}},
		}})
		for _, f := range []func(){
			one.Trigger, both.Trigger,
			func() { first.Put(1) }, func() { first.Put(2) }, func() { second.Put(3) }, func() { second.Put(4) },
		} {
			f()
			synctest.Wait()
		}
		if want := "anytrue false anyfalse true all1+3 all2+4"; r.String() != want {
			t.Errorf("ran %v, want %s", &r, want)
		}
	})
}

// After an error only what comes after the item is skipped, the error is reported, and the next trigger runs all.
func TestErrorSkipsWhatComesAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, r := waitset.NewQueue[int](5), &trace{}
		e, _ := start(t, tasks.Config{
			OnError: func(task, item string, err error) { r.add(fmt.Sprintf("%s/%s:%v", task, item, err)) },
			Tasks: []tasks.Task{{
				Name: "t", Triggers: []waitset.Condition{q},
				Items: []tasks.Item{{Name: "a", Execute: func(context.Context) error {
					if v, _ := q.Take(); v == 1 {
						return errors.New("odd")
					}
					r.add("a")
					return nil
				}}, r.item("b"), r.item("c"), r.item("d")},
				After: map[string][]string{"c": {"a"}, "d": {"c", "b"}},
			}},
		})
		q.Put(1)
		q.Put(2)
		synctest.Wait()
		if want := "t/a:odd b a b c d"; r.String() != want {
			t.Errorf("ran %v, want %s", r, want)
		}
		if s := e.Statistics(nil); s[0].Errors != 1 || s[0].Execution.Count != 2 || s[3].Execution.Count != 1 {
			t.Errorf("statistics %+v", s)
		}
	})
}

// Run ends with its context once the item under way has returned; what had not started runs after the next trigger
// only.
func TestRunEndsAndRunsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, r := waitset.NewQueue[int](5), &trace{}
		e, err := tasks.New(tasks.Config{Tasks: []tasks.Task{{Name: "t", Triggers: []waitset.Condition{q}, Items: []tasks.Item{
			{Name: "a", Execute: func(ctx context.Context) error {
				q.Take()
				<-ctx.Done()
				r.add("a")
				return nil
			}}, r.item("b"),
		}}}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		for i := 1; i <= 2; i++ {
			q.Put(i)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			time.AfterFunc(time.Second/2, func() {
				if err := e.Run(ctx); !errors.Is(err, tasks.ErrRunning) {
					t.Errorf("while it runs: %v", err)
				}
			})
			if err := e.Run(ctx); err != nil {
				t.Error(err)
			}
			cancel()
		}
		if want := "a a"; r.String() != want {
			t.Errorf("ran %v, want %s", r, want)
		}
	})
}

func TestConfigErrorsNameTheTask(t *testing.T) {
	g, used := new(waitset.Guard), new(waitset.Guard)
	if err := used.Attach(func() {}); err != nil {
		t.Fatal(err)
	}
	run := func(context.Context) error { return nil }
	a, b := tasks.Item{Name: "a", Execute: run}, tasks.Item{Name: "b", Execute: run}
	task := func(after map[string][]string, items ...tasks.Item) tasks.Config {
		return tasks.Config{Tasks: []tasks.Task{{Name: "t", Triggers: []waitset.Condition{g}, Items: items, After: after}}}
	}
	same := task(nil, a)
	same.Tasks = append(same.Tasks, tasks.Task{Name: "t"})
	for _, c := range []struct {
		want string
		cfg  tasks.Config
	}{
		{"-1 threads", tasks.Config{Threads: -1}},
		{"priority 100", tasks.Config{Thread: thread.Config{Policy: thread.FIFO, Priority: 100}}},
		{`task "t": no trigger`, tasks.Config{Tasks: []tasks.Task{{Name: "t", Items: []tasks.Item{a}}}}},
		{`task "t": no item`, task(nil)},
		{`two tasks are called "t"`, same},
		{`two items are called "a"`, task(nil, a, a)},
		{`item "c": no Execute`, task(nil, tasks.Item{Name: "c"})},
		{`item "c": period -1ns`, task(nil, tasks.Item{Name: "c", Execute: run, Period: -1})},
		{`an item "x"`, task(map[string][]string{"a": {"x"}}, a)},
		{`an item "x"`, task(map[string][]string{"x": {"a"}}, a)},
		{`the items a, b wait for each other`, task(map[string][]string{"a": {"b"}, "b": {"a"}}, a, b)},
		{`the items a wait for each other`, task(map[string][]string{"a": {"a"}}, a)},
	} {
		if _, err := tasks.New(c.cfg); !errors.Is(err, tasks.ErrConfig) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	_, err := tasks.New(tasks.Config{Tasks: []tasks.Task{
		{Name: "s", Triggers: []waitset.Condition{g}, Items: []tasks.Item{a}},
		{Name: "t", Triggers: []waitset.Condition{new(waitset.Guard), used}, Items: []tasks.Item{a}},
	}})
	if !errors.Is(err, waitset.ErrInUse) || !strings.Contains(err.Error(), `task "t": trigger 1`) {
		t.Errorf("a condition of another set: %v", err)
	}
	if err := g.Attach(func() {}); err != nil {
		t.Errorf("New failed and keeps the conditions: %v", err)
	}
}

// The items run on threads with the configured processors.
func TestThreadsAreConfigured(t *testing.T) {
	q := waitset.NewQueue[int](1)
	seen := make(chan int, 1)
	q.Put(1)
	_, stop := start(t, tasks.Config{Thread: thread.Config{CPUs: []int{0}}, Tasks: []tasks.Task{{
		Name: "t", Triggers: []waitset.Condition{q},
		Items: []tasks.Item{{Name: "a", Execute: func(context.Context) error {
			q.Take()
			var set unix.CPUSet
			err := unix.SchedGetaffinity(0, &set)
			seen <- set.Count()
			return err
		}}},
	}}})
	if n := <-seen; n != 1 {
		t.Errorf("an item runs on %d processors", n)
	}
	stop()
}

// A thread that cannot be configured ends Run with the reason, before any item runs.
func TestRunReportsWhatTheSystemRefuses(t *testing.T) {
	g, r := new(waitset.Guard), &trace{}
	g.Trigger()
	e, err := tasks.New(tasks.Config{
		Threads: 2, Thread: thread.Config{CPUs: []int{1000}},
		Tasks: []tasks.Task{{Name: "t", Triggers: []waitset.Condition{g}, Items: []tasks.Item{r.item("a")}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.Run(t.Context()); !errors.Is(err, thread.ErrConfig) || r.String() != "" {
		t.Errorf("%v, ran %q", err, r)
	}
}

func TestNoAllocationInTheSteadyState(t *testing.T) {
	q, done := waitset.NewQueue[int](1), make(chan struct{})
	e, _ := start(t, tasks.Config{Tasks: []tasks.Task{{Name: "t", Triggers: []waitset.Condition{q}, Items: []tasks.Item{
		{Name: "a", Period: time.Second, Deadline: time.Hour, Execute: func(context.Context) error {
			q.Take()
			return nil
		}},
		{Name: "b", Execute: func(context.Context) error {
			done <- struct{}{}
			return nil
		}},
	}}}})
	s := e.Statistics(nil)
	if n := testing.AllocsPerRun(100, func() {
		q.Put(1)
		<-done
		s = e.Statistics(s[:0])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Several tasks share the threads; each is triggered on its own, also while the others run.
func TestTasksShareThreads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r trace
		began := time.Now()
		var list []tasks.Task
		var guards []*waitset.Guard
		for i := range 3 {
			g := new(waitset.Guard)
			guards = append(guards, g)
			list = append(list, tasks.Task{Name: fmt.Sprint(i), Triggers: []waitset.Condition{g}, Items: []tasks.Item{
				{Name: "a", Execute: func(context.Context) error {
					g.Take()
					time.Sleep(time.Second)
					r.add(fmt.Sprintf("%d@%.0f", i, time.Since(began).Seconds()))
					return nil
				}},
			}})
		}
		start(t, tasks.Config{Threads: 2, Tasks: list})
		for _, g := range guards {
			g.Trigger()
			synctest.Wait()
		}
		time.Sleep(10 * time.Second)
		got := strings.Fields(r.String())
		slices.Sort(got)
		if !slices.Equal(got, []string{"0@1", "1@1", "2@2"}) {
			t.Errorf("ran %v", &r)
		}
	})
}
