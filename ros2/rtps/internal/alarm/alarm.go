// SPDX-License-Identifier: Apache-2.0

// Package alarm implements a queue of alarms for a goroutine that waits for the earliest. An Alarm is a field of the
// object that uses it, so setting one allocates nothing.
package alarm

import "time"

// Alarm is a time at which a function is called. The zero Alarm is not set.
type Alarm struct {
	due   Instant
	index int // position in the queue plus one; 0 means not set
	// Fire is called at that time. The alarm is no longer pending then, and may be set again.
	Fire func(now time.Time)
}

// Pending reports whether the alarm is set and has not fired yet.
func (a *Alarm) Pending() bool { return a.index > 0 }

// Queue orders the pending alarms by time. It is not safe for concurrent use.
type Queue struct {
	heap  byTime
	begin time.Time     // its first Instant
	wake  chan struct{} // signalled when the earliest time becomes earlier
	next  Instant       // when the waiting goroutine's timer fires; zero while it is running
	// putOff postpones that timer; nil if no goroutine waits
	putOff func(at time.Time)
}

// idleWake is how much earlier than the first alarm the waiting goroutine may wake up. It is less than a control cycle
// of a robot, whose samples repeatedly postpone the heartbeats.
const idleWake = 40 * time.Millisecond

// NewQueue returns a queue without alarms.
func NewQueue() *Queue { return &Queue{wake: make(chan struct{}, 1)} }

// Set makes a fire at the given time, replacing an earlier setting.
func (q *Queue) Set(a *Alarm, at time.Time) { q.SetAt(a, q.Instant(at)) }

// SetAt is Set with an Instant of the queue.
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

// SetEarlierAt is SetEarlier with an Instant of the queue.
func (q *Queue) SetEarlierAt(a *Alarm, due Instant) {
	if !a.Pending() || due < a.due {
		q.SetAt(a, due)
	}
}

// Cancel removes a from the queue.
func (q *Queue) Cancel(a *Alarm) {
	if a.Pending() {
		q.heap.remove(a.index - 1)
	}
}

// Len returns how many alarms are pending.
func (q *Queue) Len() int { return len(q.heap) }

// Overdue returns how long ago the first alarm should have fired; zero or less if none is late.
func (q *Queue) Overdue(now time.Time) time.Duration {
	if len(q.heap) == 0 {
		return 0
	}
	return q.Instant(now).Sub(q.heap[0].due)
}

// OnPutOff sets the function that postpones the waiting goroutine's timer.
func (q *Queue) OnPutOff(f func(at time.Time)) { q.putOff = f }

// Woken returns a channel that receives a value when the earliest time becomes earlier.
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

// byTime is the heap of pending alarms, the earliest first. It does not use container/heap, whose interface calls would
// be most of the cost: a robot sets an alarm for each message.
type byTime []*Alarm

// place stores an alarm at index i.
func (h byTime) place(i int, a *Alarm) {
	h[i] = a
	a.index = i + 1
}

// up moves alarm i up until its parent is not later.
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

// down moves alarm i down until no child is earlier, and reports whether it moved.
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

// remove removes alarm i.
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
