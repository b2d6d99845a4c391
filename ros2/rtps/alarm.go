// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"container/heap"
	"time"
)

// alarm is one pending point in time of the participant's event goroutine. It lives inside the object it serves, so
// that setting it allocates nothing, and an object without a pending time costs nothing.
type alarm struct {
	at    time.Time
	index int // position in the queue plus one; 0 means not set
	fire  func(now time.Time)
}

func (a *alarm) pending() bool { return a.index > 0 }

// alarmQueue orders the pending alarms by time. Guarded by Participant.mu.
type alarmQueue struct {
	heap alarmHeap
	wake chan struct{} // told when the earliest time moves forward
	next time.Time     // when the event goroutine wakes by itself; zero while it is awake
	// putOff makes that later; nil if none waits
	putOff func(at time.Time)
}

// idleWake is how much earlier than the first alarm the event goroutine may wake in vain: less than a control cycle of
// a robot, whose samples put the heartbeats off again and again.
const idleWake = 40 * time.Millisecond

func newAlarmQueue() *alarmQueue { return &alarmQueue{wake: make(chan struct{}, 1)} }

// set makes a fire at the given time, instead of any time it was set to before.
func (q *alarmQueue) set(a *alarm, at time.Time) {
	a.at = at
	if a.pending() {
		heap.Fix(&q.heap, a.index-1)
	} else {
		heap.Push(&q.heap, a)
	}
	switch {
	case q.next.IsZero():
	case at.Before(q.next):
		q.kick()
	case q.putOff != nil && q.heap[0].at.Sub(q.next) >= idleWake:
		q.next = q.heap[0].at
		q.putOff(q.next)
	}
}

// setEarlier is set, but never postpones a.
func (q *alarmQueue) setEarlier(a *alarm, at time.Time) {
	if !a.pending() || at.Before(a.at) {
		q.set(a, at)
	}
}

// cancel takes a out of the queue.
func (q *alarmQueue) cancel(a *alarm) {
	if a.pending() {
		heap.Remove(&q.heap, a.index-1)
	}
}

// kick wakes the event goroutine.
func (q *alarmQueue) kick() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// run fires every alarm that is due and returns the time of the next one, or now plus an hour.
func (q *alarmQueue) run(now time.Time) time.Time {
	q.next = time.Time{}
	for len(q.heap) > 0 && !q.heap[0].at.After(now) {
		if a, ok := heap.Pop(&q.heap).(*alarm); ok {
			a.fire(now)
		}
	}
	q.next = now.Add(time.Hour)
	if len(q.heap) > 0 {
		q.next = q.heap[0].at
	}
	return q.next
}

// alarmHeap is the container/heap of pending alarms.
type alarmHeap []*alarm

func (h alarmHeap) Len() int           { return len(h) }
func (h alarmHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h alarmHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i+1, j+1
}

func (h *alarmHeap) Push(x any) {
	if a, ok := x.(*alarm); ok {
		*h = append(*h, a)
		a.index = len(*h)
	}
}

func (h *alarmHeap) Pop() any {
	last := len(*h) - 1
	a := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	a.index = 0
	return a
}
