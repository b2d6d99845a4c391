// SPDX-License-Identifier: Apache-2.0

package inproc

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/internal/fifo"
)

// mailbox calls a subscriber's callback with one message at a time, in order of arrival: at once if its dispatcher is
// idle, else the dispatcher's owner does. A full queue drops its oldest message, as keep-last does.
type mailbox[T any] struct {
	dispatcher *dispatcher
	callback   func(*T, Info)
	limit      int // messages that may wait
	closed     atomic.Bool

	queue fifo.Queue[Received[T]] // guarded by dispatcher.mu
	next  fifo.Queue[Received[T]] // used by the dispatcher's owner: none or one
}

// MaxWaiting bounds the queue of a keep-all subscription.
const MaxWaiting = 10_000

func newMailbox[T any](l *dispatcher, callback func(*T, Info), limit int) *mailbox[T] {
	return &mailbox[T]{dispatcher: l, callback: callback, limit: limit}
}

// put handles a message, or queues it for the dispatcher's owner.
func (b *mailbox[T]) put(m *T, info Info) {
	if b.dispatcher.enter() {
		if !b.closed.Load() {
			b.callback(m, info)
		}
		b.dispatcher.leave()
		return
	}
	b.post(Received[T]{m, info})
	b.dispatcher.work()
}

// post queues a message for the dispatcher's owner. The caller must then call the dispatcher's work, when it holds no
// lock that a callback may need.
func (b *mailbox[T]) post(r Received[T]) { b.queueUp(r, b.limit) }

// replay is post for a message of a publisher's history, all of which a new
// subscription gets, as it would over the network.
func (b *mailbox[T]) replay(r Received[T]) { b.queueUp(r, max(b.limit, MaxWaiting)) }

func (b *mailbox[T]) queueUp(r Received[T], limit int) {
	l := b.dispatcher
	l.mu.Lock()
	defer l.mu.Unlock()
	if b.closed.Load() {
		return
	}
	first := b.queue.Len() == 0
	if b.queue.Len() >= limit {
		b.queue.Pop()
	}
	b.queue.Push(r)
	if first && l.enqueueLocked(b) {
		l.claimed = true
	}
}

func (b *mailbox[T]) takeLocked() (more bool) {
	if b.queue.Len() > 0 {
		b.next.Push(b.queue.Pop())
	}
	return b.queue.Len() > 0
}

func (b *mailbox[T]) run() {
	if b.next.Len() > 0 {
		r := b.next.Pop()
		b.callback(r.Message, r.Info)
	}
}

// close drops waiting messages and waits, up to timeout, until the callback has returned. It reports whether it has.
func (b *mailbox[T]) close(timeout time.Duration) bool {
	l := b.dispatcher
	l.mu.Lock()
	defer l.mu.Unlock()
	b.closed.Store(true)
	for b.queue.Len() > 0 {
		b.queue.Pop()
	}
	return l.awaitLocked(timeout)
}
