// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/fifo"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// Kind determines which callbacks of a group may run concurrently.
type Kind int

// The kinds of groups.
const (
	Exclusive Kind = iota // one at a time
	Reentrant             // any, even several of one source
)

// Group is a callback group of an executor: for ros2.NodeConfig or for single subscriptions, services and tickers. It
// is created by [Executor.NewGroup].
type Group struct {
	e    *Executor
	kind Kind
	busy int // running callbacks that do not wait; guarded by the executor's lock
}

var _ ros2.CallbackGroup = (*Group)(nil)

// NewGroup creates a group of the executor.
func (e *Executor) NewGroup(k Kind) *Group { return &Group{e: e, kind: k} }

// free reports whether one more callback may run. The executor is locked.
func (g *Group) free() bool { return g.kind == Reentrant || g.busy == 0 }

// source is the queue of a source's callbacks. The executor's lock guards it, but for its atomic fields.
type source struct {
	e      *Executor
	group  *Group
	source ros2.CallbackSource
	closed atomic.Bool
	_      cacheLines

	waiting atomic.Int32 // callbacks that wait, also in the inbox, if the source has a limit
	number  int          // in the order of joining
	queue   fifo.Queue[due]
	place   int // in the executor's ready sources, if the queue is not empty
	active  int // running callbacks
	lost    int64

	inRound bool // of rounds
}

// due is a waiting callback.
type due struct {
	call   func()
	number uint64 // order of posting, over all sources
}

// Join implements ros2.CallbackGroup.
func (g *Group) Join(s ros2.CallbackSource) (ros2.CallbackQueue, error) {
	e := g.e
	e.mu.Lock()
	defer e.mu.Unlock()
	p := &source{e: e, group: g, source: s}
	if n := len(e.sources); n > 0 {
		p.number = e.sources[n-1].number + 1
	}
	e.sources = append(e.sources, p)
	return p, nil
}

// Wait implements ros2.CallbackGroup.
func (g *Group) Wait() ros2.CallbackWait {
	id := goid.Current()
	e := g.e
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.workers[id]; w != nil && w.source != nil {
		return &wait{worker: w}
	}
	return nil
}

// pop removes and returns the oldest waiting callback. The executor is locked.
func (p *source) pop() func() {
	call := p.queue.Pop().call
	if p.source.Limit > 0 {
		p.waiting.Add(-1)
	}
	if p.queue.Len() == 0 {
		p.unready()
	}
	return call
}

// unready removes the source, whose queue is empty now, from the executor's ready ones. The executor is locked.
func (p *source) unready() {
	e := p.e
	last := len(e.ready) - 1
	e.ready[p.place] = e.ready[last]
	e.ready[p.place].place = p.place
	e.ready[last] = nil
	e.ready = e.ready[:last]
}

// Lost implements ros2.CallbackQueue.
func (p *source) Lost() int64 {
	p.e.mu.Lock()
	defer p.e.mu.Unlock()
	p.e.settle()
	return p.lost
}

// Close implements ros2.CallbackQueue.
func (p *source) Close(timeout time.Duration) (ended bool) {
	id := goid.Current()
	e := p.e
	e.mu.Lock()
	defer e.mu.Unlock()
	p.closed.Store(true)
	e.settle()
	if p.queue.Len() > 0 {
		p.queue = fifo.Queue[due]{}
		p.unready()
	}
	e.sources = slices.DeleteFunc(e.sources, func(q *source) bool { return q == p })
	own := 0
	if w := e.workers[id]; w != nil && w.source == p {
		own = 1
	}
	expired := timeout <= 0
	var limit *time.Timer
	for p.active > own && !expired {
		if limit == nil {
			limit = task.AfterFunc(timeout, "limit of a callback", func() {
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

// runnable reports whether a callback of the source can run now. The executor is locked.
func (p *source) runnable() bool { return p.queue.Len() > 0 && p.group.free() }

// compareSources sorts by node, kind and name.
func compareSources(a, b ros2.CallbackSource) int {
	return cmp.Or(cmp.Compare(a.Node.FullName(), b.Node.FullName()), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}
