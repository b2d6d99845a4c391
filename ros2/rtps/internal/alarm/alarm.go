// SPDX-License-Identifier: Apache-2.0

// Package alarm keeps points in time in order for one goroutine that waits for the earliest: an alarm lives in the
// object it serves, so that setting one allocates nothing and an object without one costs nothing.
package alarm

import "time"

// Alarm is one point in time that an object waits for. The zero Alarm is not set.
type Alarm struct {
	due   Instant
	index int // position in the queue plus one; 0 means not set
	// Fire is called when the time has come. The alarm is not pending then, and may be set anew.
	Fire func(now time.Time)
}

// Pending reports whether the alarm is set and has not fired yet.
func (a *Alarm) Pending() bool { return a.index > 0 }

// Queue orders the pending alarms by time. It has no lock: its owner has one.
type Queue struct {
	heap  byTime
	begin time.Time     // its first Instant
	wake  chan struct{} // told when the earliest time moves forward
	next  Instant       // when the waiting goroutine wakes by itself; zero while it is awake
	// putOff makes that later; nil if none waits
	putOff func(at time.Time)
}

// idleWake is how much earlier than the first alarm the waiting goroutine may wake in vain: less than a control cycle
// of a robot, whose samples put the heartbeats off again and again.
const idleWake = 40 * time.Millisecond

// NewQueue returns a queue without alarms.
func NewQueue() *Queue { return &Queue{wake: make(chan struct{}, 1)} }

// Set makes a fire at the given time, instead of any time it was set to before.
func (q *Queue) Set(a *Alarm, at time.Time) { q.SetAt(a, q.Instant(at)) }

// SetAt is Set for a point in time of the queue.
func (q *Queue) SetAt(a *Alarm, due Instant) {
	a.due = due
	if !a.Pending() {
		q.heap = append(q.heap, a)
		a.index = len(q.heap)
	}
	if i := a.index - 1; !q.heap.down(i) {
		q.heap.up(i)
	}
	switch {
	case q.next == 0:
	case due < q.next:
		q.kick()
	case q.putOff != nil && q.heap[0].due.Sub(q.next) >= idleWake:
		q.next = q.heap[0].due
		q.putOff(q.Time(q.next))
	}
}

// SetEarlier is Set, unless a is set to an earlier time already.
func (q *Queue) SetEarlier(a *Alarm, at time.Time) { q.SetEarlierAt(a, q.Instant(at)) }

// SetEarlierAt is SetEarlier for a point in time of the queue.
func (q *Queue) SetEarlierAt(a *Alarm, due Instant) {
	if !a.Pending() || due < a.due {
		q.SetAt(a, due)
	}
}

// Cancel takes a out of the queue.
func (q *Queue) Cancel(a *Alarm) {
	if a.Pending() {
		q.heap.remove(a.index - 1)
	}
}

// Len returns how many alarms are pending.
func (q *Queue) Len() int { return len(q.heap) }

// OnPutOff sets the function that makes the waiting goroutine wake later.
func (q *Queue) OnPutOff(f func(at time.Time)) { q.putOff = f }

// Woken is told when the earliest time moves forward.
func (q *Queue) Woken() <-chan struct{} { return q.wake }

// kick wakes the waiting goroutine.
func (q *Queue) kick() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Run fires every alarm that is due and returns the time of the next one, or now plus an hour.
func (q *Queue) Run(now time.Time) time.Time {
	q.next = 0
	until := q.Instant(now)
	for len(q.heap) > 0 && q.heap[0].due <= until {
		a := q.heap[0]
		q.heap.remove(0)
		a.Fire(now)
	}
	q.next = until.Add(time.Hour)
	if len(q.heap) > 0 {
		q.next = q.heap[0].due
	}
	return q.Time(q.next)
}

// byTime is the heap of pending alarms, the earliest first. It is not one of container/heap: a robot sets an alarm for
// each message, and calls by interface are most of what that would cost it.
type byTime []*Alarm

// place puts an alarm where it belongs.
func (h byTime) place(i int, a *Alarm) {
	h[i] = a
	a.index = i + 1
}

// up moves alarm i to where no later one is above it.
func (h byTime) up(i int) {
	a := h[i]
	for i > 0 {
		above := (i - 1) / 2
		if h[above].due <= a.due {
			break
		}
		h.place(i, h[above])
		i = above
	}
	h.place(i, a)
}

// down moves alarm i to where no earlier one is below it, and reports whether it moved.
func (h byTime) down(i int) bool {
	a, from := h[i], i
	for {
		below := 2*i + 1
		if below+1 < len(h) && h[below+1].due < h[below].due {
			below++
		}
		if below >= len(h) || h[below].due >= a.due {
			break
		}
		h.place(i, h[below])
		i = below
	}
	h.place(i, a)
	return i > from
}

// remove takes alarm i out.
func (h *byTime) remove(i int) {
	a, last := (*h)[i], len(*h)-1
	h.place(i, (*h)[last])
	(*h)[last] = nil
	*h = (*h)[:last]
	a.index = 0
	if i < last && !h.down(i) {
		h.up(i)
	}
}
