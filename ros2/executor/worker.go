// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"slices"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// worker is a goroutine of the executor. The executor's lock guards it, but for its atomic field.
type worker struct {
	e      *Executor
	source *source     // whose callback is running; nil: none
	waits  bool        // the callback waits for another or a time
	ended  atomic.Bool // the callback has returned, which is not counted yet

	searching bool // it was woken and has not looked for a callback yet; its own
}

// work runs callbacks until the executor stops, or another goroutine has taken over while a callback waited.
func (e *Executor) work() {
	id := goid.Current()
	w := &worker{e: e}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.workers[id] = w
	defer delete(e.workers, id)
	for {
		if w.searching {
			w.searching = false
			e.mu.idle.found()
		}
		e.settle()
		if e.over() {
			break
		}
		if p, call := e.next(); p != nil {
			w.run(p, call)
		} else if e.spent() {
			break // the others need not wait either
		} else {
			w.wait()
		}
	}
	e.wake() // the signal for a callback may have woken this goroutine
}

// run runs a callback of a source. The executor is locked before and after it.
func (w *worker) run(p *source, call func()) {
	e := w.e
	w.source = p
	p.active++
	p.group.busy++
	e.busy++
	if e.budget > 0 {
		e.budget--
	}
	more := e.more()
	e.mu.Unlock()
	if more {
		e.mu.idle.notify()
	}
	call()
	if e.mu.try() {
		w.end()
		return
	}
	w.ended.Store(true)
	e.ended.Add(1)
	w.lock()
}

// end counts the end of the callback. The executor is locked.
func (w *worker) end() {
	p := w.source
	w.source = nil
	p.active--
	p.group.busy--
	w.e.busy--
	// Idle goroutines need not wake up: nothing could run but for this callback's thread slot and group, and the
	// goroutine that counts its end takes the next one.
	w.e.changed.Broadcast()
}

// wait waits for callbacks. The executor is locked before and after it.
func (w *worker) wait() {
	e := w.e
	e.mu.idle.announce()
	if e.inbox.Ready() && e.mu.idle.cancel() { // one that comes later sees the announcement
		return
	}
	e.mu.Unlock()
	e.mu.idle.wait()
	w.searching = true
	w.lock()
}

// lock locks the executor. While another goroutine has the turn it waits as an idle one.
func (w *worker) lock() {
	t := &w.e.mu
	for !t.try() {
		if w.searching {
			w.searching = false
			t.idle.found()
		}
		t.idle.announce()
		t.wanted.Store(true)
		if t.try() {
			if t.idle.cancel() {
				return
			}
			t.Unlock()
		}
		t.idle.wait()
		w.searching = true
	}
}

// more reports whether an idle goroutine could run another callback now. The executor is locked.
func (e *Executor) more() bool {
	return e.mu.idle.state.Load()&idleMask != 0 && e.busy < e.threads && slices.ContainsFunc(e.ready, (*source).runnable)
}

// over reports whether a goroutine should end. While a callback waits the others continue, since it may wait for them.
func (e *Executor) over() bool {
	return e.stopping && e.waiting == 0 && len(e.resuming) == 0 || len(e.workers) > e.threads+e.waiting
}

// spent reports whether SpinSome has run all callbacks that it can.
func (e *Executor) spent() bool {
	return e.budget >= 0 && e.waiting == 0 && len(e.resuming) == 0 && e.busy == 0
}

// next removes and returns the next callback to run, if the number of threads allows one. Callbacks ready to continue
// have priority.
func (e *Executor) next() (*source, func()) {
	if e.busy >= e.threads || e.budget == 0 && e.waiting == 0 || e.resume() {
		return nil, nil
	}
	return e.policy.next(e)
}

// resume resumes the first callback that can continue, and reports whether there is one.
func (e *Executor) resume() bool {
	for _, r := range e.resuming {
		if r.granted {
			return true
		}
		if r.worker.source.group.free() {
			r.granted = true
			e.wake()
			return true
		}
	}
	return false
}

// wait is a callback that waits for another or a time. The executor's lock guards it.
type wait struct {
	worker  *worker
	begun   bool
	granted bool
}

// Begin implements ros2.CallbackWait: it releases the goroutine's thread slot, which another goroutine takes.
func (w *wait) Begin() {
	e := w.worker.e
	e.mu.Lock()
	defer e.mu.Unlock()
	w.begun = true
	w.worker.waits = true
	w.worker.source.group.busy--
	e.busy--
	e.waiting++
	e.group.Go("executor", e.work)
	e.wake()
}

// Due implements ros2.CallbackWait.
func (w *wait) Due() {}

// End implements ros2.CallbackWait: it waits for a free thread slot.
func (w *wait) End() {
	e := w.worker.e
	e.mu.Lock()
	defer e.mu.Unlock()
	if !w.begun {
		return
	}
	e.resuming = append(e.resuming, w)
	e.wake()
	for !w.granted {
		if e.busy < e.threads && e.resume() && w.granted {
			break
		}
		e.changed.Wait()
	}
	e.resuming = slices.DeleteFunc(e.resuming, func(r *wait) bool { return r == w })
	w.worker.waits = false
	w.worker.source.group.busy++
	e.busy++
	e.waiting--
	e.wake()
}
