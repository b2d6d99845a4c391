// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"sync"
	"sync/atomic"
)

// turn lets one goroutine at a time call user functions. It is a mutex that is made for being held long: who waits for
// it waits for a condition, as one waits for user code, not for a lock.
type turn struct {
	held    sync.Mutex
	waiting atomic.Int32

	mu   sync.Mutex // guards the wait, not the turn
	free sync.Cond  // told when the turn ends
}

func newTurn() *turn {
	t := new(turn)
	t.free.L = &t.mu
	return t
}

// begin waits for the turn.
func (t *turn) begin() {
	if t.held.TryLock() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting.Add(1)
	defer t.waiting.Add(-1)
	for !t.held.TryLock() {
		t.free.Wait()
	}
}

// end passes the turn on.
func (t *turn) end() {
	t.held.Unlock()
	if t.waiting.Load() > 0 { // one that counts itself later finds the turn free
		t.mu.Lock()
		t.free.Signal()
		t.mu.Unlock()
	}
}
