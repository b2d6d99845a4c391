// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ErrSpinning says that the executor is spinning already.
var ErrSpinning = errors.New("executor: it is spinning")

// Executor runs the callbacks of its groups while it spins. It is made by one of the constructors and safe for
// concurrent use.
type Executor struct {
	threads int
	policy  policy

	mu       sync.Mutex
	idle     sync.Cond          // of goroutines that look for work
	changed  sync.Cond          // of those who wait for another goroutine
	places   []*place           // in the order of joining
	ready    []*place           // with callbacks that wait
	workers  map[uint64]*worker // by goroutine
	busy     int                // callbacks at work that do not wait
	waiting  int                // callbacks at work that wait
	resuming []*wait            // callbacks that want to go on, first come first
	posted   uint64             // number of the latest callback
	budget   int                // of SpinSome; -1: no end
	spins    bool
	stopping bool
	group    task.Group
}

// policy chooses the callback that runs next. The executor is locked.
type policy interface {
	// next returns a place that can run, and its callback, taken; nil if there is none now.
	next(e *Executor) (*place, func())
}

// NewSingleThreaded makes an executor that runs one callback at a time. In rounds: each source that is ready when a
// round begins runs one callback, timers first, then subscriptions, services and replies, each kind in the order in
// which it was made.
func NewSingleThreaded() *Executor { return newExecutor(1, &rounds{}) }

// NewMultiThreaded makes an executor that runs up to so many callbacks at a time, at least one; they begin in the order
// of [NewSingleThreaded]. Those whose group is busy are passed over and keep their turn.
func NewMultiThreaded(threads int) *Executor { return newExecutor(max(1, threads), &rounds{}) }

// NewEvents makes an executor that runs one callback at a time in the order in which they became due.
func NewEvents() *Executor { return newExecutor(1, events{}) }

func newExecutor(threads int, p policy) *Executor {
	e := &Executor{threads: threads, policy: p, workers: make(map[uint64]*worker)}
	e.idle.L, e.changed.L = &e.mu, &e.mu
	return e
}

// Spin runs callbacks until ctx ends and those at work have ended. What waits then stays for the next time. The error
// is [ErrSpinning] or nil.
func (e *Executor) Spin(ctx context.Context) error {
	if err := e.begin(-1); err != nil {
		return err
	}
	stop := task.AfterDone(ctx, "end of an executor", e.stop)
	defer stop()
	e.run()
	return nil
}

// SpinSome runs as many callbacks as are ready now, less if some of them can't run, and returns when they have
// ended.
func (e *Executor) SpinSome() error {
	e.mu.Lock()
	n := 0
	for _, p := range e.ready {
		n += len(p.queue)
	}
	e.mu.Unlock()
	if err := e.begin(n); err != nil {
		return err
	}
	e.run()
	return nil
}

func (e *Executor) begin(budget int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.spins {
		return ErrSpinning
	}
	e.spins, e.stopping, e.budget = true, false, budget
	return nil
}

func (e *Executor) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stopping = true
	e.wake()
}

// wake lets everybody look again. The executor is locked.
func (e *Executor) wake() {
	e.idle.Broadcast()
	e.changed.Broadcast()
}

func (e *Executor) run() {
	for range e.threads {
		e.group.Go("executor", e.work)
	}
	e.group.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.spins = false
}

// Activity is a callback at work.
type Activity struct {
	// Source is whose callback it is.
	Source ros2.CallbackSource
	// Waits says that it waits for another callback, or for time.
	Waits bool
}

// Busy returns the callbacks at work, sorted by node and name.
func (e *Executor) Busy() []Activity {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []Activity
	for _, w := range e.workers {
		if w.place != nil {
			all = append(all, Activity{w.place.source, w.waits})
		}
	}
	slices.SortFunc(all, func(a, b Activity) int { return compareSources(a.Source, b.Source) })
	return all
}
