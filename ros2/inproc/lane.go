// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// lane lets one goroutine at a time call the subscriptions of a topic: its owner.
// A goroutine that finds the lane idle owns it until it leaves; others leave their messages
// in queues, which the owner empties before it leaves. So none waits for a
// callback, a callback may publish to its own topic, and a message to a thousand
// subscriptions costs two atomic operations, not two for each of them.
type lane struct {
	state atomic.Int32

	mu      sync.Mutex
	turn    sync.Cond // broadcast when rounds changes
	rounds  int64     // how often the owner was seen outside all callbacks
	queues  []laneQueue
	running []laneQueue // the owner's
	claimed bool        // attend made an idle lane busy; work is to come
}

// laneQueue has messages waiting for the owner of a lane.
type laneQueue interface {
	// takeLocked makes the oldest message the one that run handles, and tells
	// whether others wait behind it. The lane is locked.
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

// maxRounds bounds how long a publisher works for others: then a goroutine takes
// over.
const maxRounds = 64

func newLane() *lane {
	l := &lane{}
	l.turn.L = &l.mu
	return l
}

// enter makes the caller the owner if there is none.
func (l *lane) enter() bool { return l.state.CompareAndSwap(laneIdle, laneBusy) }

// leave ends what enter began.
func (l *lane) leave() {
	if !l.state.CompareAndSwap(laneBusy, laneIdle) {
		l.drain()
	}
}

// attendLocked tells the owner of a queue that was empty. If there is no owner it
// reports true: then the caller must drain the lane or call work, when it holds no
// lock that a callback may want.
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

// work drains the lane if a claim was left to do so.
func (l *lane) work() {
	l.mu.Lock()
	claimed := l.claimed
	l.claimed = false
	l.mu.Unlock()
	if claimed {
		l.drain()
	}
}

// drain is the owner's: it empties the queues and leaves. In each round every
// queue gets one message through, so that none starves another.
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

// awaitLocked waits until the owner has come out of the callback it may be in, but no
// longer than patience. It reports whether it has.
func (l *lane) awaitLocked(patience time.Duration) bool {
	expired := patience <= 0
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
			limit = task.AfterFunc(patience, "limit of a callback", func() {
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
