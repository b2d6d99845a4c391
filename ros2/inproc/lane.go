// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// lane ensures that one goroutine at a time, its owner, calls the subscriptions of a topic. A goroutine that enters an
// idle lane owns it until it leaves; others add their messages to queues, which the owner empties before it leaves. So
// none waits for a callback, a callback may publish to its own topic, and a message to a thousand subscriptions costs
// two atomic operations, not two for each of them.
type lane struct {
	state atomic.Int32

	mu      sync.Mutex
	turn    sync.Cond // broadcast when rounds changes
	rounds  int64     // how often the owner was outside of all callbacks
	queues  []laneQueue
	running []laneQueue // the owner's
	claimed bool        // attend made an idle lane busy; work must follow
}

// laneQueue is a queue of messages for the owner of a lane.
type laneQueue interface {
	// takeLocked selects the oldest message for run, and reports whether more are waiting. The lane is locked.
	takeLocked() (more bool)
	// run calls the callbacks. The lane is owned and not locked.
	run()
}

// States of a lane.
const (
	laneIdle     = iota
	laneBusy     // the owner may leave without a lock
	laneBusyMore // the owner must look at the queues before it leaves
)

// maxRounds bounds how long a publisher handles the messages of others: then a goroutine takes over.
const maxRounds = 64

func newLane() *lane {
	l := &lane{}
	l.turn.L = &l.mu
	return l
}

// enter makes the caller the owner if there is none.
func (l *lane) enter() bool { return l.state.CompareAndSwap(laneIdle, laneBusy) }

// leave releases ownership.
func (l *lane) leave() {
	if !l.state.CompareAndSwap(laneBusy, laneIdle) {
		l.drain()
	}
}

// attendLocked adds a queue that was empty to the owner's. If there is no owner it returns true: then the caller must
// drain the lane or call work, when it holds no lock that a callback may need.
func (l *lane) attendLocked(q laneQueue) (claimed bool) {
	l.queues = append(l.queues, q)
	for {
		state := l.state.Load()
		if state == laneBusyMore {
			return false
		}
		if l.state.CompareAndSwap(state, laneBusyMore) {
			return state == laneIdle
		}
	}
}

// work drains the lane if attendLocked claimed it.
func (l *lane) work() {
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
func (l *lane) drain() {
	for round := 0; ; round++ {
		l.mu.Lock()
		l.rounds++
		l.turn.Broadcast()
		if len(l.queues) == 0 {
			l.state.Store(laneIdle)
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
func (l *lane) awaitLocked(timeout time.Duration) bool {
	expired := timeout <= 0
	var limit *time.Timer
	for round := l.rounds; l.rounds == round; {
		switch l.state.Load() {
		case laneIdle:
			return true
		case laneBusy:
			l.state.CompareAndSwap(laneBusy, laneBusyMore)
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
