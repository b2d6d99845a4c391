// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"slices"
	"sync"
	"sync/atomic"
)

// mailbox calls a subscription's callback with one message at a time, in the
// order they come. The goroutine that finds it idle makes the call, and those for
// what others put in meanwhile; so a callback may publish to itself. A full queue
// drops its oldest message, as keep-last does.
//
// Whoever moves state away from mailboxIdle owns the callback until it moves it
// back. Without contention a message costs two atomic operations and no lock.
type mailbox[T any] struct {
	callback func(*T, MessageInfo)
	limit    int // messages that may wait
	state    atomic.Int32

	mu      sync.Mutex
	idle    sync.Cond // signalled when state becomes idle under the lock
	queue   []Received[T]
	claimed bool // post made the state mailboxBusyMore; work is to come
	closing bool
}

// States of a mailbox.
const (
	mailboxIdle     = iota
	mailboxBusy     // the owner is at the callback and may leave without a lock
	mailboxBusyMore // the owner must look at the queue before it leaves
	mailboxClosed
)

// maxWaiting bounds the queue of a keep-all subscription.
const maxWaiting = 10_000

func newMailbox[T any](callback func(*T, MessageInfo), qos QoS) *mailbox[T] {
	b := &mailbox[T]{callback: callback, limit: qos.EffectiveDepth()}
	if qos.History == KeepAll {
		b.limit = maxWaiting
	}
	b.idle.L = &b.mu
	return b
}

// put handles a message, or leaves it to the owner.
func (b *mailbox[T]) put(m *T, info MessageInfo) {
	if b.state.CompareAndSwap(mailboxIdle, mailboxBusy) {
		b.callback(m, info)
		if !b.state.CompareAndSwap(mailboxBusy, mailboxIdle) {
			b.drain()
		}
		return
	}
	if b.post(Received[T]{m, info}) {
		b.work()
	}
}

// post queues a message for the owner. If there is none it reports true: then the
// caller must call work, when it holds no lock that a callback may want.
func (b *mailbox[T]) post(r Received[T]) (claimed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		switch state := b.state.Load(); state {
		case mailboxClosed:
			return false
		case mailboxIdle, mailboxBusy:
			if !b.state.CompareAndSwap(state, mailboxBusyMore) {
				continue
			}
			b.claimed = b.claimed || state == mailboxIdle
			claimed = state == mailboxIdle
		}
		if len(b.queue) >= b.limit {
			b.queue = slices.Delete(b.queue, 0, 1)
		}
		b.queue = append(b.queue, r)
		return claimed
	}
}

// work handles what post has queued for no owner.
func (b *mailbox[T]) work() {
	b.mu.Lock()
	claimed := b.claimed
	b.claimed = false
	b.mu.Unlock()
	if claimed {
		b.drain()
	}
}

// drain is the owner's: it handles the queue and gives the ownership up.
func (b *mailbox[T]) drain() {
	for {
		b.mu.Lock()
		if b.closing {
			b.queue = nil
		}
		if len(b.queue) == 0 {
			b.state.Store(mailboxIdle)
			b.idle.Broadcast()
			b.mu.Unlock()
			return
		}
		next := b.queue[0]
		b.queue = slices.Delete(b.queue, 0, 1)
		b.mu.Unlock()
		b.callback(next.Message, next.Info)
	}
}

// close drops what waits and returns when the callback runs no more.
func (b *mailbox[T]) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closing = true
	for {
		switch {
		case b.state.Load() == mailboxClosed, b.state.CompareAndSwap(mailboxIdle, mailboxClosed):
			return
		case b.state.CompareAndSwap(mailboxBusy, mailboxBusyMore), b.state.Load() == mailboxBusyMore:
			b.idle.Wait()
		}
	}
}
