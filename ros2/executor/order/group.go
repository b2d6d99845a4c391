// SPDX-License-Identifier: Apache-2.0

package order

import (
	"context"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// Group is the callbacks of a node, of which one runs at a time. It is made by [Coordinator.NewGroup].
type Group struct{ c *Coordinator }

var _ ros2.TimingGroup = (*Group)(nil)

// NewGroup makes a group. Nodes that share memory share a group.
func (c *Coordinator) NewGroup() *Group { return &Group{c} }

// place is where callbacks of a source come from. The coordinator's lock guards it.
type place struct {
	group   *Group
	source  ros2.CallbackSource
	number  int // in the order of joining
	waiting int // events in the agenda
	active  int
	lost    int64
	closed  bool
}

// shadow is a place beside p, for what goes on with a callback of it.
func (p *place) shadow(what string) *place {
	s := p.source
	s.Name, s.Limit = what+s.Name, 0
	return &place{group: p.group, source: s, number: p.number}
}

// Join implements ros2.CallbackGroup.
func (g *Group) Join(s ros2.CallbackSource) (ros2.CallbackQueue, error) { return g.join(s) }

func (g *Group) join(s ros2.CallbackSource) (*place, error) {
	c := g.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, ErrClosed
	}
	c.places++
	return &place{group: g, source: s, number: c.places}, nil
}

// Post implements ros2.CallbackQueue. What a callback posts comes at the next microstep, as a message does.
func (p *place) Post(call func()) {
	c := p.group.c
	id := goid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.fibers[id]; f != nil && f.event != nil {
		f.outputs = append(f.outputs, output{deliver: func() { p.Post(call) }})
		return
	}
	outside := (c.deliverer == 0 || c.deliverer != id) && !c.bridging[id]
	c.addLocked(&event{tag: c.now.next(), place: p, outside: outside, got: c.incoming[id], call: call})
}

// addLocked adds an event, in place of the oldest of its source if too many wait.
func (c *Coordinator) addLocked(e *event) {
	p := e.place
	if p.closed || c.ended {
		return
	}
	if p.source.Limit > 0 && p.waiting >= p.source.Limit {
		c.agenda.first(func(o *event) bool { return o.place == p })
		p.waiting--
		p.lost++
	}
	p.waiting++
	c.sequence++
	e.sequence = c.sequence
	c.agenda.push(e)
	if e.outside {
		c.arrived.Broadcast()
	}
}

// Lost implements ros2.CallbackQueue.
func (p *place) Lost() int64 {
	p.group.c.mu.Lock()
	defer p.group.c.mu.Unlock()
	return p.lost
}

// Close implements ros2.CallbackQueue.
func (p *place) Close(patience time.Duration) (ended bool) {
	c := p.group.c
	id := goid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	p.closed = true
	c.agenda.remove(func(e *event) bool { return e.place == p })
	own := 0
	if f := c.fibers[id]; f != nil && f.event != nil && f.event.place == p {
		own = 1
	}
	expired := patience <= 0
	var limit *time.Timer
	for p.active > own && !expired {
		if limit == nil {
			limit = task.AfterFunc(patience, "limit of a callback", func() {
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
		c.addLocked(&event{tag: Tag{Time: at}, place: p, call: func() {
			c.mu.Lock()
			add(at + period)
			c.mu.Unlock()
			call(c.beginning().Add(at))
		}})
	}
	add(c.now.Time + period)
	return p, nil
}

// Sleep implements ros2.TimingGroup: a callback that sleeps goes on at exactly its time, among the timers of that time.
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
	alarm := &event{tag: Tag{Time: c.now.Time + d}, place: w.fiber.event.place.shadow("sleep of "), call: w.Due}
	c.addLocked(alarm)
	c.mu.Unlock()
	stop := task.AfterDone(ctx, "end of a sleep", w.giveUp)
	w.Begin()
	w.rest()
	stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.agenda.remove(func(e *event) bool { return e == alarm })
	select {
	case <-c.closed:
		return ErrClosed
	default:
		return ctx.Err()
	}
}

// sleepOutside is a sleep of a goroutine that is no callback.
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
