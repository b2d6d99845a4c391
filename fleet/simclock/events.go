// SPDX-License-Identifier: Apache-2.0

package simclock

import (
	"container/heap"
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ownerLimit is the time, of the machine's clock, after which an owner of a timer or a waiting goroutine that has not
// handled its event is reported.
const ownerLimit = time.Second

// event is a timer's expiry or the end of a goroutine's wait, at a simulated time. Its fields are guarded by Clock.mu.
type event struct {
	due    time.Duration      // age
	number uint64             // order of events of the same age
	index  int                // in the heap; -1: not in it
	armed  bool               // it will fire
	fire   func(at time.Time) // must not block
	stop   <-chan struct{}    // when it is closed the owner has ended; nil: it does not end this way
	owned  bool               // the clock waits for the owner
	busy   chan struct{}      // closed when the owner has handled the event; nil: no event is being handled
	owner  owner
}

// owner identifies the goroutine that waits for an event.
type owner struct {
	name    string     // empty: identified by its callers only
	callers [4]uintptr // of NewTimer or Wait
}

// callersOf returns an owner that is known by its callers; skip is as in [runtime.Callers], from the caller of
// callersOf.
func callersOf(skip int) (o owner) {
	runtime.Callers(skip+1, o.callers[:])
	return o
}

// String returns the owner's name, or the function that made the timer.
func (o owner) String() string {
	if o.name != "" {
		return o.name
	}
	frames := runtime.CallersFrames(o.callers[:])
	for {
		f, more := frames.Next()
		name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
		if !more || !strings.HasSuffix(name, ".NewTimer") { // skip adapters between types of clocks
			return "the timer of " + name
		}
	}
}

// settle marks the event as handled by its owner. The caller holds Clock.mu.
func (e *event) settle() {
	if e.busy != nil {
		close(e.busy)
		e.busy = nil
	}
}

// events is a heap of events, the next one first. It is guarded by Clock.mu.
type events struct {
	heap  eventHeap
	count uint64
}

// add arms an event; inHeap is false on a clock that continues at the machine's speed.
func (q *events) add(e *event, inHeap bool) {
	q.count++
	e.number, e.armed, e.index = q.count, true, -1
	if inHeap {
		heap.Push(&q.heap, e)
	}
}

// remove disarms an event and reports whether it was armed.
func (q *events) remove(e *event) bool {
	was := e.armed
	e.armed = false
	if e.index >= 0 {
		heap.Remove(&q.heap, e.index)
	}
	return was
}

// next removes the next event from the heap and disarms it.
func (q *events) next() *event {
	e := heap.Pop(&q.heap).(*event) //nolint:forcetypeassert,errcheck // the heap holds nothing else
	e.armed = false
	return e
}

// removeAll empties the heap.
func (q *events) removeAll() []*event {
	all := q.heap
	for _, e := range all {
		e.index = -1
	}
	q.heap = nil
	return all
}

type eventHeap []*event

func (h eventHeap) Len() int { return len(h) }

func (h eventHeap) Less(i, k int) bool {
	if h[i].due != h[k].due {
		return h[i].due < h[k].due
	}
	return h[i].number < h[k].number
}

func (h eventHeap) Swap(i, k int) {
	h[i], h[k] = h[k], h[i]
	h[i].index, h[k].index = i, k
}

// Push implements heap.Interface.
func (h *eventHeap) Push(x any) {
	e := x.(*event) //nolint:forcetypeassert,errcheck // the heap holds nothing else
	e.index = len(*h)
	*h = append(*h, e)
}

// Pop implements heap.Interface.
func (h *eventHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	e.index = -1
	return e
}

// schedule arms an event. The caller holds mu.
func (c *Clock) schedule(e *event, d time.Duration) {
	e.due = c.age() + max(0, d)
	c.events.add(e, c.ended.IsZero())
	if !c.ended.IsZero() {
		c.fireLater(e)
	}
}

// fireLater fires an event of a clock that continues at the machine's speed. The caller holds mu.
func (c *Clock) fireLater(e *event) {
	number := e.number
	task.AfterFunc(max(0, e.due-c.age()), "timer of a simulation that has ended", func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if e.armed && e.number == number {
			e.armed = false
			e.fire(c.epoch.Add(c.age()))
		}
	})
}

// fireNext advances the clock to the next event, if one is due up to an age, fires all events of that time, and waits
// until their owners have handled them, without a time limit. It reports whether there was one; it fails only when
// ctx ends.
func (c *Clock) fireNext(ctx context.Context, age time.Duration) (fired bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	c.mu.Lock()
	if len(c.events.heap) == 0 || c.events.heap[0].due > age {
		c.mu.Unlock()
		return false, nil
	}
	due := c.events.heap[0].due
	c.now = max(c.now, due)
	at := c.epoch.Add(c.now)
	var waits []ownerWait
	for len(c.events.heap) > 0 && c.events.heap[0].due == due {
		e := c.events.next()
		e.fire(at)
		if e.owned {
			e.busy = make(chan struct{})
			waits = append(waits, ownerWait{e.busy, e.stop, &e.owner})
		}
	}
	c.mu.Unlock()
	return true, c.awaitOwners(ctx, waits)
}

// ownerWait is an owner that is handling an event.
type ownerWait struct {
	busy, stop <-chan struct{}
	owner      *owner // guarded by Clock.mu
}

// awaitOwners waits until all owners have handled their events; it fails only when ctx ends. Owners that take longer
// than [ownerLimit] are reported once.
func (c *Clock) awaitOwners(ctx context.Context, waits []ownerWait) error {
	if len(waits) == 0 {
		return nil
	}
	limit := time.NewTimer(ownerLimit)
	defer limit.Stop()
	defer c.waitFor(nil)
	for len(waits) > 0 {
		select {
		case <-waits[0].busy:
			waits = waits[1:]
		case <-waits[0].stop:
			waits = waits[1:]
		case <-limit.C:
			c.onLate(c.waitFor(waits))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// waitFor records the owners for which the clock has waited for ownerLimit, and returns their names. Without owners
// it clears the record.
func (c *Clock) waitFor(waits []ownerWait) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lateOwners, c.lateSince = "", time.Time{}
	if len(waits) == 0 {
		return ""
	}
	var names []string
	for _, w := range waits {
		select {
		case <-w.busy:
		case <-w.stop:
		default:
			names = append(names, w.owner.String())
		}
	}
	c.lateOwners, c.lateSince = strings.Join(names, ", "), time.Now().Add(-ownerLimit)
	return c.lateOwners
}

// Sleep returns when d has passed on this clock.
func (c *Clock) Sleep(d time.Duration) {
	woken := make(chan struct{})
	c.mu.Lock()
	c.schedule(&event{fire: func(time.Time) { close(woken) }}, d)
	c.mu.Unlock()
	<-woken
}

// Wait returns when d has passed on this clock or stop is closed. It is for a goroutine that sleeps again and again,
// such as a camera: the clock waits for one that it has woken until it calls Wait with the same stop, or stop is
// closed. Several goroutines may have the same stop.
func (c *Clock) Wait(d time.Duration, stop <-chan struct{}) {
	woken := make(chan struct{})
	e := &event{fire: func(time.Time) { close(woken) }, stop: stop, owned: true}
	c.mu.Lock()
	e.owner = c.settleWaiter(stop)
	c.waiters[stop] = append(c.waiters[stop], e)
	c.schedule(e, d)
	c.mu.Unlock()
	select {
	case <-woken:
	case <-stop:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.events.remove(e)
		delete(c.waiters, stop)
	}
}

// settleWaiter marks the event of one of the woken goroutines of a stop channel as handled and returns its owner; it
// also removes waiters that have ended. The caller, called by Wait, holds mu.
func (c *Clock) settleWaiter(stop <-chan struct{}) owner {
	c.waiters[stop] = slices.DeleteFunc(c.waiters[stop], func(e *event) bool { return !e.armed && e.busy == nil })
	for i, e := range c.waiters[stop] {
		if e.busy != nil {
			e.settle()
			c.waiters[stop] = slices.Delete(c.waiters[stop], i, i+1)
			return e.owner
		}
	}
	for other := range c.waiters {
		select {
		case <-other:
			delete(c.waiters, other)
		default:
		}
	}
	return callersOf(3)
}

// NewTimer implements ros2.Clock.
func (c *Clock) NewTimer(d time.Duration) ros2.Timer {
	t := &timer{clock: c, ch: make(chan time.Time, 1)}
	t.event = event{index: -1, owned: true, fire: t.send, owner: callersOf(2)}
	t.Reset(d)
	return t
}

// timer is a timer of a simulation's clock.
type timer struct {
	clock *Clock
	ch    chan time.Time
	event event
}

// SetOwner sets the owner's name for reports, such as "timer \"control\" of /epuck1".
func (t *timer) SetOwner(name string) {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	t.event.owner.name = name
}

// C implements ros2.Timer.
func (t *timer) C() <-chan time.Time { return t.ch }

// send sends the time. It does not block: Reset and Stop remove a time that was not received.
func (t *timer) send(at time.Time) { t.ch <- at }

// Reset implements ros2.Timer.
func (t *timer) Reset(d time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.cancel()
	t.clock.schedule(&t.event, d)
	return was
}

// Stop implements ros2.Timer.
func (t *timer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	return t.cancel()
}

// cancel disarms the timer, removes a time that was not received, and reports whether the timer was running. The
// caller holds clock.mu.
func (t *timer) cancel() bool {
	was := t.clock.events.remove(&t.event)
	select {
	case <-t.ch:
	default:
	}
	t.event.settle()
	return was
}

var _ ros2.Timer = (*timer)(nil)
