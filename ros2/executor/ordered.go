// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"cmp"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Ordered says how an executor made by [NewOrdered] works.
type Ordered struct {
	// Trigger is asked whenever something is ready: if it says no, everything waits. It must not call the executor. It
	// defaults to [Any].
	Trigger Trigger
	// LogicalTime gives logical execution time: when the trigger says yes the oldest message of each source that is
	// ready is taken, and the callbacks see the world as it was then, however long the ones before them take. Without
	// it a message is taken just before its callback.
	LogicalTime bool
}

// State is a source with what waits of it.
type State struct {
	ros2.CallbackSource
	// Ready says that a callback waits.
	Ready bool
}

// Trigger looks at all sources of an executor, in their order, and says whether those that are ready are to run.
type Trigger func(sources []State) bool

// Any is true if one source is ready at least.
func Any(sources []State) bool {
	return slices.ContainsFunc(sources, func(s State) bool { return s.Ready })
}

// All is true if every source is ready.
func All(sources []State) bool {
	return !slices.ContainsFunc(sources, func(s State) bool { return !s.Ready })
}

// Always is true whatever waits (TestTriggers).
func Always([]State) bool { return true }

// One is true if the source with a name is ready: a topic, a service or a ticker.
func One(name string) Trigger {
	return func(sources []State) bool {
		return slices.ContainsFunc(sources, func(s State) bool { return s.Ready && s.Name == name })
	}
}

// NewOrdered makes an executor as rclc's: one callback at a time, in the order in which the program made the
// subscriptions, services, clients and tickers of its groups, whatever came first (TestTheProgramsOrder). When the
// trigger says yes each source that is ready runs one callback.
func NewOrdered(o Ordered) *Executor {
	if o.Trigger == nil {
		o.Trigger = Any
	}
	return newExecutor(1, &ordered{Ordered: o})
}

// ordered is a static order.
type ordered struct {
	Ordered
	batch []taken // what is left of those that were ready together
}

// taken is a place in a batch; call is nil until its turn without logical time.
type taken struct {
	place *place
	call  func()
}

func (o *ordered) next(e *Executor) (*place, func()) {
	o.batch = slices.DeleteFunc(o.batch, func(t taken) bool { return t.place.closed || t.call == nil && len(t.place.queue) == 0 })
	if len(o.batch) == 0 && !o.fill(e) {
		return nil, nil
	}
	t := o.batch[0]
	if !t.place.group.free() {
		return nil, nil
	}
	o.batch = slices.Delete(o.batch, 0, 1)
	if t.call == nil {
		t.call = t.place.pop()
	}
	return t.place, t.call
}

// fill asks the trigger and begins a batch.
func (o *ordered) fill(e *Executor) bool {
	if len(e.ready) == 0 {
		return false
	}
	states := make([]State, 0, len(e.places))
	for _, p := range e.places {
		states = append(states, State{p.source, len(p.queue) > 0})
	}
	if !o.Trigger(states) {
		return false
	}
	ready := slices.SortedFunc(slices.Values(e.ready), func(a, b *place) int { return cmp.Compare(a.number, b.number) })
	for _, p := range ready {
		t := taken{place: p}
		if o.LogicalTime {
			t.call = p.pop()
		}
		o.batch = append(o.batch, t)
	}
	return true
}
