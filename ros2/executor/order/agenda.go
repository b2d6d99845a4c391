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
	place    *place
	sequence uint64   // in the order of coming
	outside  bool     // it came from outside the application
	got      wire.Sum // the message that came; 0: none
	admitted bool     // a replay lets it run although it came from outside
	call     func()
	want     *Run // what a replay expects of it; nil: nothing
}

func (e *event) compare(o *event) int {
	return cmp.Or(e.tag.Compare(o.tag), cmp.Compare(e.place.number, o.place.number), cmp.Compare(e.sequence, o.sequence))
}

// agenda is a heap of events, the next one first.
type agenda []*event

func (a *agenda) push(e *event) {
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

// pop takes the next event; there must be one.
func (a *agenda) pop() *event {
	h := *a
	next, last := h[0], len(h)-1
	h[0], h[last] = h[last], nil
	*a = h[:last]
	a.sink(0)
	return next
}

func (a *agenda) sink(i int) {
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

// remove takes all events out that a condition holds for.
func (a *agenda) remove(is func(*event) bool) {
	*a = slices.DeleteFunc(*a, is)
	for i := len(*a)/2 - 1; i >= 0; i-- {
		a.sink(i)
	}
}

// first returns the next event that a condition holds for, nil if there is none, and takes it out.
func (a *agenda) first(is func(*event) bool) *event {
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
