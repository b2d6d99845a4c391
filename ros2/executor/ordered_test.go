// SPDX-License-Identifier: Apache-2.0

package executor_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
)

// sources joins a group with some names in order.
func sources(t *testing.T, e *executor.Executor, names ...string) map[string]ros2.CallbackQueue {
	t.Helper()
	g := e.NewGroup(executor.Exclusive)
	all := make(map[string]ros2.CallbackQueue)
	for _, name := range names {
		all[name] = place(t, g, ros2.SubscriptionCallback, name, 0)
	}
	return all
}

// Callbacks run in the program's order, whatever arrived first, one per source and batch.
func TestCallbacksRunInOrderOfCreation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := executor.NewOrdered(executor.Ordered{LogicalTime: rapid.Bool().Draw(t, "logical")})
		g := e.NewGroup(executor.Exclusive)
		var ran []string
		waiting := make([]int, 4)
		var places []ros2.CallbackQueue
		for range waiting {
			p, _ := g.Join(ros2.CallbackSource{Kind: ros2.CallbackKind(rapid.IntRange(0, 3).Draw(t, "kind"))})
			places = append(places, p)
		}
		for _, w := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 20).Draw(t, "came") {
			n := waiting[w]
			waiting[w]++
			places[w].Post(func() { ran = append(ran, fmt.Sprint(w, ".", n)) })
		}
		var want []string
		for batch := range 20 {
			for w, n := range waiting {
				if batch < n {
					want = append(want, fmt.Sprint(w, ".", batch))
				}
			}
		}
		if err := e.SpinSome(); err != nil || !slices.Equal(ran, want) {
			t.Fatalf("ran %v, want %v: %v", ran, want, err)
		}
	})
}

// With a trigger everything waits until it returns true.
func TestTriggers(t *testing.T) {
	for _, c := range []struct {
		name    string
		trigger executor.Trigger
		post    []string
		want    []string
	}{
		{"any", executor.Any, []string{"c"}, []string{"c"}},
		{"default", nil, []string{"b"}, []string{"b"}},
		{"always", executor.Always, []string{"b", "a"}, []string{"a", "b"}},
		{"all, one is missing", executor.All, []string{"c", "a"}, nil},
		{"all", executor.All, []string{"c", "b", "a"}, []string{"a", "b", "c"}},
		{"one, another came", executor.One("b"), []string{"a", "c"}, nil},
		{"one", executor.One("b"), []string{"c", "b"}, []string{"b", "c"}},
		{"of the program", func(s []executor.State) bool { return s[0].Name == "a" && !s[0].Ready && s[2].Ready }, []string{"c"}, []string{"c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := executor.NewOrdered(executor.Ordered{Trigger: c.trigger})
			places := sources(t, e, "a", "b", "c")
			var ran record
			for _, name := range c.post {
				places[name].Post(func() { ran.add(name) })
			}
			if err := e.SpinSome(); err != nil {
				t.Fatal(err)
			}
			ran.expect(t, c.name, c.want...)
		})
	}
}

// With logical execution time a callback gets the message present when the batch started; without, that at its turn.
func TestLogicalTime(t *testing.T) {
	for logical, want := range map[bool][]string{true: {"a", "old"}, false: {"a", "new"}} {
		e := executor.NewOrdered(executor.Ordered{LogicalTime: logical})
		g := e.NewGroup(executor.Exclusive)
		a, b := place(t, g, ros2.SubscriptionCallback, "a", 1), place(t, g, ros2.SubscriptionCallback, "b", 1)
		var ran record
		b.Post(func() { ran.add("old") })
		a.Post(func() {
			ran.add("a")
			b.Post(func() { ran.add("new") }) // replaces the old one, if that still waits
		})
		if err := e.SpinSome(); err != nil {
			t.Fatal(err)
		}
		ran.expect(t, fmt.Sprint("logical ", logical), want...)
	}
}

// A source that is closed while it is in a batch does not run.
func TestEndWithinABatch(t *testing.T) {
	for _, logical := range []bool{true, false} {
		e := executor.NewOrdered(executor.Ordered{LogicalTime: logical})
		places := sources(t, e, "a", "b", "c")
		var ran record
		for _, name := range []string{"b", "c"} {
			places[name].Post(func() { ran.add(name) })
		}
		places["a"].Post(func() { places["b"].Close(timeout) })
		if err := e.SpinSome(); err != nil {
			t.Fatal(err)
		}
		ran.expect(t, fmt.Sprint("logical ", logical), "c")
	}
}
