// SPDX-License-Identifier: Apache-2.0

package order

import (
	"context"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// Group is a group of callbacks, usually a node's, of which one runs at a time. It is created by
// [Coordinator.NewGroup].
type Group struct{ c *Coordinator }

var _ ros2.TimingGroup = (*Group)(nil)

// NewGroup creates a group. Nodes that share memory must share a group.
func (c *Coordinator) NewGroup() *Group { return &Group{c} }

// source is a source of callbacks with its group. The coordinator's lock guards it.
type source struct {
	group   *Group
	source  ros2.CallbackSource
	number  int // in the order of joining
	waiting int // events in the queue
	active  int
	lost    int64
	closed  bool
}

// shadow returns an additional source for continuations of p's callbacks.
func (p *source) shadow(what string) *source {
	s := p.source
	s.Name, s.Limit = what+s.Name, 0
	return &source{group: p.group, source: s, number: p.number}
}

// Join implements ros2.CallbackGroup.
func (g *Group) Join(s ros2.CallbackSource) (ros2.CallbackQueue, error) { return g.join(s) }

func (g *Group) join(s ros2.CallbackSource) (*source, error) {
	c := g.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, ErrClosed
	}
	c.places++
	return &source{group: g, source: s, number: c.places}, nil
}

// Post implements ros2.CallbackQueue. Callbacks posted by a callback run at the next microstep, as messages do.
func (p *source) Post(call func()) {
	c := p.group.c
	id := goid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.fibers[id]; f != nil && f.event != nil {
		f.outputs = append(f.outputs, output{deliver: func() { p.Post(call) }})
		return
	}
	outside := (c.deliverer == 0 || c.deliverer != id) && !c.bridging[id]
	c.addLocked(&event{tag: c.now.next(), source: p, outside: outside, got: c.incoming[id], call: call})
}

// addLocked adds an event, replacing the oldest of its source if too many wait.
func (c *Coordinator) addLocked(e *event) {
	p := e.source
	if p.closed || c.ended {
		return
	}
	if p.source.Limit > 0 && p.waiting >= p.source.Limit {
		c.events.first(func(o *event) bool { return o.source == p })
		p.waiting--
		p.lost++
	}
	p.waiting++
	c.sequence++
	e.sequence = c.sequence
	c.events.push(e)
	if e.outside {
		c.arrived.Broadcast()
	}
}

// Lost implements ros2.CallbackQueue.
func (p *source) Lost() int64 {
	p.group.c.mu.Lock()
	defer p.group.c.mu.Unlock()
	return p.lost
}

// Close implements ros2.CallbackQueue.
func (p *source) Close(timeout time.Duration) (ended bool) {
	c := p.group.c
	id := goid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	p.closed = true
	c.events.remove(func(e *event) bool { return e.source == p })
	own := 0
	if f := c.fibers[id]; f != nil && f.event != nil && f.event.source == p {
		own = 1
	}
	expired := timeout <= 0
	var limit *time.Timer
	for p.active > own && !expired {
		if limit == nil {
			limit = task.AfterFunc(timeout, "limit of a callback", func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				expired = true
				c.arrived.Broadcast()
			})
			defer limit.Stop()
		}
		c.arrived.Wait()
	}
	return p.active <= own
}

// Every implements ros2.TimingGroup.
func (g *Group) Every(s ros2.CallbackSource, period time.Duration, call func(at time.Time)) (ros2.CallbackQueue, error) {
	p, err := g.join(s)
	if err != nil {
		return nil, err
	}
	c := g.c
	c.mu.Lock()
	defer c.mu.Unlock()
	var add func(at time.Duration)
	add = func(at time.Duration) {
		c.addLocked(&event{tag: Tag{Time: at}, source: p, call: func() {
			c.mu.Lock()
			add(at + period)
			c.mu.Unlock()
			call(c.beginning().Add(at))
		}})
	}
	add(c.now.Time + period)
	return p, nil
}

// Sleep implements ros2.TimingGroup: a sleeping callback continues exactly at its time, among the timers of that time.
func (g *Group) Sleep(ctx context.Context, d time.Duration) error {
	c := g.c
	w, ok := g.Wait().(*wait)
	if !ok {
		return g.sleepOutside(ctx, d)
	}
	if d <= 0 {
		return ctx.Err()
	}
	c.mu.Lock()
	alarm := &event{tag: Tag{Time: c.now.Time + d}, source: w.fiber.event.source.shadow("sleep of "), call: w.Due}
	c.addLocked(alarm)
	c.mu.Unlock()
	stop := task.AfterDone(ctx, "end of a sleep", w.resumeOutside)
	w.Begin()
	w.rest()
	stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events.remove(func(e *event) bool { return e == alarm })
	select {
	case <-c.closed:
		return ErrClosed
	default:
		return ctx.Err()
	}
}

// sleepOutside implements Sleep for a goroutine that runs no callback.
func (g *Group) sleepOutside(ctx context.Context, d time.Duration) error {
	timer := g.c.Clock().NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-g.c.closed:
		return ErrClosed
	}
}
