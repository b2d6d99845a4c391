// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// dispatcher ensures that one goroutine at a time, its owner, calls the subscriptions of a topic. A goroutine that
// enters an idle dispatcher owns it until it leaves; others add their messages to queues, which the owner empties
// before it leaves. So no goroutine waits for a callback, a callback may publish to its own topic, and a message to a
// thousand subscriptions costs two atomic operations, not two for each of them.
type dispatcher struct {
	state atomic.Int32

	mu      sync.Mutex
	turn    sync.Cond // broadcast when rounds changes
	rounds  int64     // how often the owner was outside of all callbacks
	queues  []dispatcherQueue
	running []dispatcherQueue // the owner's
	claimed bool              // enqueueLocked made an idle dispatcher busy; work must follow
}

// dispatcherQueue is a queue of messages for the owner of a dispatcher.
type dispatcherQueue interface {
	// takeLocked selects the oldest message for run, and reports whether more are waiting. The dispatcher is locked.
	takeLocked() (more bool)
	// run calls the callbacks. The dispatcher is owned and not locked.
	run()
}

// States of a dispatcher.
const (
	dispatcherIdle     = iota
	dispatcherBusy     // the owner may leave without a lock
	dispatcherBusyMore // the owner must check the queues before it leaves
)

// maxRounds is the number of rounds for which a publisher handles the messages of others; then a goroutine takes over.
const maxRounds = 64

func newDispatcher() *dispatcher {
	l := &dispatcher{}
	l.turn.L = &l.mu
	return l
}

// enter makes the caller the owner if there is none.
func (l *dispatcher) enter() bool { return l.state.CompareAndSwap(dispatcherIdle, dispatcherBusy) }

// leave releases ownership.
func (l *dispatcher) leave() {
	if !l.state.CompareAndSwap(dispatcherBusy, dispatcherIdle) {
		l.drain()
	}
}

// enqueueLocked adds a queue that was empty to the owner's. If there is no owner it returns true: then the caller must
// drain the dispatcher or call work, when it holds no lock that a callback may need.
func (l *dispatcher) enqueueLocked(q dispatcherQueue) (claimed bool) {
	l.queues = append(l.queues, q)
	for {
		state := l.state.Load()
		if state == dispatcherBusyMore {
			return false
		}
		if l.state.CompareAndSwap(state, dispatcherBusyMore) {
			return state == dispatcherIdle
		}
	}
}

// work drains the dispatcher if enqueueLocked claimed it.
func (l *dispatcher) work() {
	l.mu.Lock()
	claimed := l.claimed
	l.claimed = false
	l.mu.Unlock()
	if claimed {
		l.drain()
	}
}

// drain is called by the owner: it empties the queues and leaves. In each round one message of every queue is handled,
// so that none starves another.
func (l *dispatcher) drain() {
	for round := 0; ; round++ {
		l.mu.Lock()
		l.rounds++
		l.turn.Broadcast()
		if len(l.queues) == 0 {
			l.state.Store(dispatcherIdle)
			l.mu.Unlock()
			return
		}
		if round == maxRounds {
			l.mu.Unlock()
			task.Go("callbacks", l.drain)
			return
		}
		l.running, l.queues = l.queues, l.running[:0]
		for _, q := range l.running {
			if q.takeLocked() {
				l.queues = append(l.queues, q)
			}
		}
		l.mu.Unlock()
		for _, q := range l.running {
			q.run()
		}
		clear(l.running)
	}
}

// awaitLocked waits, up to timeout, until the owner has returned from its current callback, and reports whether it has.
func (l *dispatcher) awaitLocked(timeout time.Duration) bool {
	expired := timeout <= 0
	var limit *time.Timer
	for round := l.rounds; l.rounds == round; {
		switch l.state.Load() {
		case dispatcherIdle:
			return true
		case dispatcherBusy:
			l.state.CompareAndSwap(dispatcherBusy, dispatcherBusyMore)
			continue
		}
		if expired {
			return false
		}
		if limit == nil {
			limit = task.AfterFunc(timeout, "limit of a callback", func() {
				l.mu.Lock()
				defer l.mu.Unlock()
				expired = true
				l.turn.Broadcast()
			})
			defer limit.Stop()
		}
		l.turn.Wait()
	}
	return true
}
