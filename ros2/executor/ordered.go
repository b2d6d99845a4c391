// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"cmp"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Ordered configures an executor created by [NewOrdered].
type Ordered struct {
	// Trigger is called whenever something is ready: while it returns false, everything waits. It must not call the
	// executor. It defaults to [Any].
	Trigger Trigger
	// LogicalTime enables logical execution time: when the trigger fires the oldest message of each ready source is
	// taken, so the callbacks get the data of that time, however long earlier ones take. Without it a message is taken
	// just before its callback.
	LogicalTime bool
}

// State is the state of a source.
type State struct {
	ros2.CallbackSource
	// Ready means that a callback waits.
	Ready bool
}

// Trigger decides from the states of all sources of an executor, in order, whether the ready ones run.
type Trigger func(sources []State) bool

// Any is true if at least one source is ready.
func Any(sources []State) bool {
	return slices.ContainsFunc(sources, func(s State) bool { return s.Ready })
}

// All is true if every source is ready.
func All(sources []State) bool {
	return !slices.ContainsFunc(sources, func(s State) bool { return !s.Ready })
}

// Always is always true (TestTriggers).
func Always([]State) bool { return true }

// One is true if the source with a name is ready: a topic, a service or a ticker.
func One(name string) Trigger {
	return func(sources []State) bool {
		return slices.ContainsFunc(sources, func(s State) bool { return s.Ready && s.Name == name })
	}
}

// NewOrdered returns an executor like rclc's: one callback at a time, in the order in which the program created the
// subscriptions, services, clients and tickers of its groups, independent of the order of arrival
// (TestCallbacksRunInOrderOfCreation). When the trigger fires, each ready source runs one callback.
func NewOrdered(o Ordered) *Executor {
	if o.Trigger == nil {
		o.Trigger = Any
	}
	return newExecutor(1, &ordered{Ordered: o})
}

// ordered is a static order.
type ordered struct {
	Ordered
	batch []taken // the remaining ones that were ready together
}

// taken is a source in a batch; without logical time call is nil until its turn.
type taken struct {
	source *source
	call   func()
}

func (o *ordered) next(e *Executor) (*source, func()) {
	o.batch = slices.DeleteFunc(o.batch, func(t taken) bool { return t.source.closed.Load() || t.call == nil && t.source.queue.Len() == 0 })
	if len(o.batch) == 0 && !o.fill(e) {
		return nil, nil
	}
	t := o.batch[0]
	if !t.source.group.free() {
		return nil, nil
	}
	o.batch = slices.Delete(o.batch, 0, 1)
	if t.call == nil {
		t.call = t.source.pop()
	}
	return t.source, t.call
}

// fill calls the trigger and starts a batch.
func (o *ordered) fill(e *Executor) bool {
	if len(e.ready) == 0 {
		return false
	}
	states := make([]State, 0, len(e.sources))
	for _, p := range e.sources {
		states = append(states, State{p.source, p.queue.Len() > 0})
	}
	if !o.Trigger(states) {
		return false
	}
	ready := slices.SortedFunc(slices.Values(e.ready), func(a, b *source) int { return cmp.Compare(a.number, b.number) })
	for _, p := range ready {
		t := taken{source: p}
		if o.LogicalTime {
			t.call = p.pop()
		}
		o.batch = append(o.batch, t)
	}
	return true
}
