// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"cmp"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// Kind says which callbacks of a group may run at the same time.
type Kind int

// The kinds of groups.
const (
	Exclusive Kind = iota // one at a time
	Reentrant             // any, even several of one source
)

// Group is a callback group of an executor: for ros2.NodeConfig or for single subscriptions, services and tickers. It
// is made by [Executor.NewGroup].
type Group struct {
	e    *Executor
	kind Kind
	busy int // callbacks at work that do not wait; guarded by the executor's lock
}

var _ ros2.CallbackGroup = (*Group)(nil)

// NewGroup makes a group of the executor's.
func (e *Executor) NewGroup(k Kind) *Group { return &Group{e: e, kind: k} }

// free tells whether one more callback may run. The executor is locked.
func (g *Group) free() bool { return g.kind == Reentrant || g.busy == 0 }

// place is where the callbacks of a source wait. The executor's lock guards it.
type place struct {
	group  *Group
	source ros2.CallbackSource
	number int // in the order of joining
	queue  []due
	active int // callbacks at work
	lost   int64
	closed bool
}

// due is a callback that waits.
type due struct {
	call   func()
	number uint64 // in the order of posting, over all places
}

// Join implements ros2.CallbackGroup.
func (g *Group) Join(s ros2.CallbackSource) (ros2.CallbackQueue, error) {
	e := g.e
	e.mu.Lock()
	defer e.mu.Unlock()
	p := &place{group: g, source: s}
	if n := len(e.places); n > 0 {
		p.number = e.places[n-1].number + 1
	}
	e.places = append(e.places, p)
	return p, nil
}

// Wait implements ros2.CallbackGroup.
func (g *Group) Wait() ros2.CallbackWait {
	id := goid.Current()
	e := g.e
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.workers[id]; w != nil && w.place != nil {
		return &wait{worker: w}
	}
	return nil
}

// Post implements ros2.CallbackQueue.
func (p *place) Post(call func()) {
	e := p.group.e
	e.mu.Lock()
	defer e.mu.Unlock()
	if p.closed {
		return
	}
	if p.source.Limit > 0 && len(p.queue) >= p.source.Limit {
		p.drop()
		p.lost++
	}
	if len(p.queue) == 0 && !slices.Contains(e.ready, p) {
		e.ready = append(e.ready, p)
	}
	e.posted++
	p.queue = append(p.queue, due{call, e.posted})
	e.idle.Signal()
}

// drop removes the oldest callback that waits. The executor is locked.
func (p *place) drop() {
	p.queue[0] = due{}
	p.queue = p.queue[1:] // append moves the rest when it needs the room
}

// pop removes the oldest callback that waits and returns it. The executor is locked.
func (p *place) pop() func() {
	call := p.queue[0].call
	p.drop()
	if len(p.queue) == 0 {
		e := p.group.e
		e.ready = slices.DeleteFunc(e.ready, func(q *place) bool { return q == p })
	}
	return call
}

// Lost implements ros2.CallbackQueue.
func (p *place) Lost() int64 {
	p.group.e.mu.Lock()
	defer p.group.e.mu.Unlock()
	return p.lost
}

// Close implements ros2.CallbackQueue.
func (p *place) Close(patience time.Duration) (ended bool) {
	id := goid.Current()
	e := p.group.e
	e.mu.Lock()
	defer e.mu.Unlock()
	p.closed, p.queue = true, nil
	same := func(q *place) bool { return q == p }
	e.places, e.ready = slices.DeleteFunc(e.places, same), slices.DeleteFunc(e.ready, same)
	own := 0
	if w := e.workers[id]; w != nil && w.place == p {
		own = 1
	}
	expired := patience <= 0
	var limit *time.Timer
	for p.active > own && !expired {
		if limit == nil {
			limit = task.AfterFunc(patience, "limit of a callback", func() {
				e.mu.Lock()
				defer e.mu.Unlock()
				expired = true
				e.wake()
			})
			defer limit.Stop()
		}
		e.changed.Wait()
	}
	return p.active <= own
}

// runnable tells whether a callback of the place could run now. The executor is locked.
func (p *place) runnable() bool { return len(p.queue) > 0 && p.group.free() }

// compareSources sorts by node, kind and name.
func compareSources(a, b ros2.CallbackSource) int {
	return cmp.Or(cmp.Compare(a.Node.FullName(), b.Node.FullName()), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}
