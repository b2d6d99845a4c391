// SPDX-License-Identifier: Apache-2.0

package tasks

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	internaltask "github.com/epuck-ros2/epuck-driver/internal/task"
)

// ErrRunning means that the executor is running already.
var ErrRunning = errors.New("tasks: the executor is running")

// Executor executes tasks. It is created by [New] and safe for concurrent use; Close it when done.
type Executor struct {
	cfg Config

	mu      sync.Mutex
	work    sync.Cond // of threads that have no item
	tasks   []*task
	queue   []*node // items that wait for a thread: a ring as long as there are items
	first   int
	queued  int
	running bool
	failed  error // of a thread's configuration
}

// New prepares tasks for execution, and the conditions belong to them until Close. The error matches [ErrConfig] and
// names the task, or waitset.ErrInUse.
func New(cfg Config) (*Executor, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	e := &Executor{cfg: cfg}
	e.work.L = &e.mu
	for i := range cfg.Tasks {
		t, err := newTask(cfg.Tasks[i])
		if err != nil {
			return nil, err
		}
		e.tasks = append(e.tasks, t)
		e.queue = append(e.queue, t.nodes...)
	}
	if err := e.attach(); err != nil {
		return nil, err
	}
	return e, nil
}

// attach makes each condition trigger its task.
func (e *Executor) attach() error {
	for i, t := range e.tasks {
		for j, c := range t.Triggers {
			err := c.Attach(func() { e.trigger(t) })
			if err == nil {
				continue
			}
			for _, c := range t.Triggers[:j] {
				c.Detach()
			}
			e.detach(e.tasks[:i])
			return fmt.Errorf("task %q: trigger %d: %w", t.Name, j, err)
		}
	}
	return nil
}

func (e *Executor) detach(list []*task) {
	for _, t := range list {
		for _, c := range t.Triggers {
			c.Detach()
		}
	}
}

// Close releases the conditions, which it does not close. The executor must not be running.
func (e *Executor) Close() {
	e.mu.Lock()
	list := e.tasks
	e.tasks = nil
	e.mu.Unlock()
	e.detach(list)
}

// Run executes tasks until ctx ends and the items under way have returned; those of their tasks that had not started do
// not run any more. The error is [ErrRunning], that of the threads' configuration, or nil.
func (e *Executor) Run(ctx context.Context) error {
	e.mu.Lock()
	if e.running {
		e.mu.Unlock()
		return ErrRunning
	}
	e.running, e.failed = true, nil
	for _, t := range e.tasks {
		for _, n := range t.nodes {
			n.record.began = time.Time{} // a pause between two runs is no period
		}
		e.activate(t)
	}
	e.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := internaltask.AfterDone(ctx, "end of an executor", e.wake)
	defer stop()
	var threads internaltask.Group
	for range max(1, e.cfg.Threads) {
		threads.Go("executor of tasks", func() { e.thread(ctx, cancel) })
	}
	threads.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running, e.queued = false, 0
	for _, t := range e.tasks {
		t.active, t.pending = false, 0
	}
	return e.failed
}

// wake makes the threads that have no item look at the context.
func (e *Executor) wake() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.work.Broadcast()
}

// trigger is called when a condition of the task may have become ready.
func (e *Executor) trigger(t *task) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running {
		e.activate(t)
	}
}

// activate queues the first items of a task that is triggered. The executor is locked.
func (e *Executor) activate(t *task) {
	if t.active || !t.ready() {
		return
	}
	t.active, t.triggered = true, time.Now()
	for _, n := range t.nodes {
		n.missing = n.predecessors
	}
	for _, n := range t.nodes {
		if n.predecessors == 0 {
			e.push(n)
		}
	}
}

// push queues an item. The executor is locked.
func (e *Executor) push(n *node) {
	e.queue[(e.first+e.queued)%len(e.queue)] = n
	e.queued++
	n.task.pending++
	e.work.Signal()
}

// thread runs items until ctx ends. If the system refuses its configuration it calls cancel.
func (e *Executor) thread(ctx context.Context, cancel func()) {
	if !e.cfg.Thread.IsZero() {
		runtime.LockOSThread() // and not unlocked: the thread ends with the goroutine
		if err := e.cfg.Thread.Apply(); err != nil {
			e.mu.Lock()
			e.failed = err
			e.mu.Unlock()
			cancel()
			return
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for ctx.Err() == nil {
		if e.queued == 0 {
			e.work.Wait()
			continue
		}
		n := e.queue[e.first]
		e.first = (e.first + 1) % len(e.queue)
		e.queued--
		triggered := n.task.triggered
		e.mu.Unlock()
		began := time.Now()
		err := n.Execute(ctx)
		ended := time.Now()
		missed := n.Deadline > 0 && ended.Sub(triggered) > n.Deadline
		if err != nil && e.cfg.OnError != nil {
			e.cfg.OnError(n.task.Name, n.Name, err)
		}
		if missed && n.OnMissed != nil {
			n.OnMissed(ended.Sub(triggered))
		}
		e.mu.Lock()
		n.record.add(n, triggered, began, ended, err != nil, missed)
		e.ended(n, err == nil)
	}
}

// ended queues the items that come after one, or triggers the task again if it was the last. The executor is locked.
func (e *Executor) ended(n *node, ok bool) {
	t := n.task
	t.pending--
	for _, s := range n.successors {
		if !ok {
			break
		}
		if s.missing--; s.missing == 0 {
			e.push(s)
		}
	}
	if t.pending == 0 {
		t.active = false
		e.activate(t)
	}
}
