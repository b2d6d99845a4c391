// SPDX-License-Identifier: Apache-2.0

package order

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// fiber is a goroutine that runs callbacks. It runs an event until the callback ends or waits, and then yields.
type fiber struct {
	c      *Coordinator
	work   chan *event
	yield  chan struct{} // the callback has ended or waits
	resume chan struct{} // it may continue

	// Guarded by the coordinator's lock.
	event   *event // being run; nil: none
	begun   time.Time
	outputs []output
	due     []*fiber // those that continue after the running callback
	waits   bool
}

// output is a message that is sent when the callback has ended or waits.
type output struct {
	topic   string // "": not recorded
	sum     uint64 // of the payload
	deliver func()
}

// start starts an event on a free fiber.
func (c *Coordinator) start(e *event) *fiber {
	c.mu.Lock()
	defer c.mu.Unlock()
	var f *fiber
	if n := len(c.idle); n > 0 {
		f, c.idle = c.idle[n-1], c.idle[:n-1]
	} else {
		f = &fiber{c: c, work: make(chan *event), yield: make(chan struct{}, 1), resume: make(chan struct{}, 1)}
		c.group.Go("callbacks in order", f.loop)
	}
	f.event, f.begun = e, time.Now()
	e.source.active++
	e.source.waiting--
	return f
}

func (f *fiber) loop() {
	id := goid.Current()
	f.c.mu.Lock()
	f.c.fibers[id] = f
	f.c.mu.Unlock()
	for {
		var e *event
		select {
		case e = <-f.work:
		case <-f.c.closed:
			return
		}
		e.call()
		f.c.mu.Lock()
		e.source.active--
		f.c.arrived.Broadcast()
		f.c.mu.Unlock()
		f.yield <- struct{}{}
	}
}

// perform runs an event until it has ended or waits, and then those that it wakes. It returns their outputs.
func (c *Coordinator) perform(e *event) []output {
	f := c.start(e)
	f.work <- e
	return c.await(f)
}

// await waits until a fiber yields.
func (c *Coordinator) await(f *fiber) []output {
	<-f.yield
	c.mu.Lock()
	outputs, due := f.outputs, f.due
	f.outputs, f.due = nil, nil
	if !f.waits {
		f.event = nil
		c.idle = append(c.idle, f)
	}
	c.mu.Unlock()
	for _, woken := range due {
		c.mu.Lock()
		woken.waits, woken.begun = false, time.Now()
		c.mu.Unlock()
		woken.resume <- struct{}{}
		outputs = append(outputs, c.await(woken)...)
	}
	return outputs
}

// endOf is the prefix of the name under which a callback continues after it has waited.
const endOf = "end of "

// wait is a callback that waits.
type wait struct {
	fiber *fiber
	begun bool
	asked bool // resuming was requested; guarded by the coordinator's lock
}

// Wait implements ros2.CallbackGroup.
func (g *Group) Wait() ros2.CallbackWait {
	if f := g.c.current(); f != nil && f.event != nil {
		return &wait{fiber: f}
	}
	return nil
}

// Begin implements ros2.CallbackWait.
func (w *wait) Begin() {
	w.begun = true
	c := w.fiber.c
	c.mu.Lock()
	w.fiber.waits = true
	c.mu.Unlock()
	w.fiber.yield <- struct{}{}
}

// Due implements ros2.CallbackWait: the callback continues after the calling one, at the same tag.
func (w *wait) Due() { w.requestResume(goid.Current()) }

// resumeOutside makes the callback continue, as caused from outside, although the awaited event did not occur.
func (w *wait) resumeOutside() { w.requestResume(0) }

func (w *wait) requestResume(by uint64) {
	c := w.fiber.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.asked {
		return
	}
	w.asked = true
	if f := c.fibers[by]; f != nil && f.event != nil && f != w.fiber {
		f.due = append(f.due, w.fiber)
		return
	}
	outside := c.deliverer == 0 || c.deliverer != by
	source := w.fiber.event.source.shadow(endOf)
	c.addLocked(&event{tag: c.now.next(), source: source, outside: outside, got: c.incoming[by], call: func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		f := c.fibers[goid.Current()]
		f.due = append(f.due, w.fiber)
	}})
}

// End implements ros2.CallbackWait.
func (w *wait) End() {
	if !w.begun {
		return
	}
	w.resumeOutside() // if Due was not called it continues as caused from outside
	w.rest()
}

// rest waits until the coordinator resumes the callback.
func (w *wait) rest() {
	select {
	case <-w.fiber.resume:
	case <-w.fiber.c.closed:
	}
}
