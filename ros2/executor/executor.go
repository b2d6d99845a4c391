// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/fifo"
)

// ErrSpinning means that the executor is already spinning.
var ErrSpinning = errors.New("executor: already spinning")

// Executor runs the callbacks of its groups while it spins. It is created by one of the constructors and safe for
// concurrent use.
type Executor struct {
	threads int
	policy  policy

	inbox *fifo.Inbox[posted] // callbacks that no queue has yet

	mu       turn               // guards all of the following but ended
	changed  sync.Cond          // of callers that wait for another goroutine
	sources  []*source          // in the order of joining
	ready    []*source          // with waiting callbacks, in any order
	workers  map[uint64]*worker // by goroutine
	busy     int                // running callbacks that do not wait
	waiting  int                // running callbacks that wait
	resuming []*wait            // callbacks ready to continue, in order
	ended    atomic.Int32       // callbacks that have returned and are counted as running
	posted   uint64             // number of the latest callback in a queue
	budget   int                // of SpinSome; -1: unlimited
	spins    bool
	stopping bool
	group    task.Group
}

// policy chooses the callback that runs next. The executor is locked.
type policy interface {
	// next returns a source that can run and its callback, removed from the queue; nil if there is none.
	next(e *Executor) (*source, func())
}

// NewSingleThreaded returns an executor that runs one callback at a time, in rounds: each source that is ready when a
// round begins runs one callback, timers first, then subscriptions, services and replies, each kind in order of
// creation.
func NewSingleThreaded() *Executor { return newExecutor(1, &rounds{}) }

// NewMultiThreaded returns an executor that runs up to threads callbacks at a time, at least one; they start in the
// order of [NewSingleThreaded]. Those whose group is busy are skipped and keep their position.
func NewMultiThreaded(threads int) *Executor { return newExecutor(max(1, threads), &rounds{}) }

// NewEvents returns an executor that runs one callback at a time in the order in which they became due.
func NewEvents() *Executor { return newExecutor(1, events{}) }

func newExecutor(threads int, p policy) *Executor {
	e := &Executor{threads: threads, policy: p, workers: make(map[uint64]*worker), inbox: fifo.NewInbox[posted](inboxSize)}
	e.changed.L = &e.mu
	return e
}

// Spin runs callbacks until ctx ends and running ones have returned. Waiting callbacks remain for the next Spin. The
// error is [ErrSpinning] or nil.
func (e *Executor) Spin(ctx context.Context) error {
	if err := e.begin(-1); err != nil {
		return err
	}
	stop := task.AfterDone(ctx, "end of an executor", e.stop)
	defer stop()
	e.run()
	return nil
}

// SpinSome runs as many callbacks as are ready now, fewer if some of them cannot run, and returns when they have
// returned.
func (e *Executor) SpinSome() error {
	e.mu.Lock()
	e.settle()
	n := 0
	for _, p := range e.ready {
		n += p.queue.Len()
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
	e.mu.idle.token = make(chan struct{}, 1)
	return nil
}

func (e *Executor) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stopping = true
	e.wake()
}

// wake wakes all waiting goroutines, idle ones one after another: each wakes the next if it ends or runs a callback.
// The executor is locked.
func (e *Executor) wake() {
	e.mu.idle.notify()
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

// Activity is a running callback.
type Activity struct {
	// Source is the callback's source.
	Source ros2.CallbackSource
	// Waits means that the callback waits for another callback or a time.
	Waits bool
}

// Busy returns the running callbacks, sorted by node and name.
func (e *Executor) Busy() []Activity {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.settle()
	var all []Activity
	for _, w := range e.workers {
		if w.source != nil {
			all = append(all, Activity{w.source.source, w.waits})
		}
	}
	slices.SortFunc(all, func(a, b Activity) int { return compareSources(a.Source, b.Source) })
	return all
}
