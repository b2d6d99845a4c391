// SPDX-License-Identifier: Apache-2.0

package order

import (
	"cmp"
	"slices"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// event is a callback that is due at a tag.
type event struct {
	tag      Tag
	source   *source
	sequence uint64   // order of arrival
	outside  bool     // caused from outside the application
	got      wire.Sum // sum of the message that caused it; 0: none
	admitted bool     // a replay allows it to run although it was caused from outside
	call     func()
	want     *Run // the expected run in a replay; nil: none
}

func (e *event) compare(o *event) int {
	return cmp.Or(e.tag.compare(o.tag), cmp.Compare(e.source.number, o.source.number), cmp.Compare(e.sequence, o.sequence))
}

// eventQueue is a heap of events, the next first.
type eventQueue []*event

func (a *eventQueue) push(e *event) {
	*a = append(*a, e)
	for h, i := *a, len(*a)-1; i > 0; {
		parent := (i - 1) / 2
		if h[parent].compare(h[i]) <= 0 {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// pop removes and returns the next event; there must be one.
func (a *eventQueue) pop() *event {
	h := *a
	next, last := h[0], len(h)-1
	h[0], h[last] = h[last], nil
	*a = h[:last]
	a.sink(0)
	return next
}

func (a *eventQueue) sink(i int) {
	h := *a
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].compare(h[least]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// remove removes all events that satisfy a condition.
func (a *eventQueue) remove(is func(*event) bool) {
	*a = slices.DeleteFunc(*a, is)
	for i := len(*a)/2 - 1; i >= 0; i-- {
		a.sink(i)
	}
}

// first removes and returns the next event that satisfies a condition, nil if there is none.
func (a *eventQueue) first(is func(*event) bool) *event {
	var next *event
	for _, e := range *a {
		if is(e) && (next == nil || e.compare(next) < 0) {
			next = e
		}
	}
	if next != nil {
		a.remove(func(e *event) bool { return e == next })
	}
	return next
}
