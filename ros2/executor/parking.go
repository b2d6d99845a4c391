// SPDX-License-Identifier: Apache-2.0

package executor

import (
	"sync"
	"sync/atomic"
)

// parking is where goroutines of an executor wait for callbacks. A goroutine that posts one needs no lock to see that
// none waits, or to wake one: an event count. At most one of those that were woken is searching: it wakes the next if
// there is more to do.
type parking struct {
	// state is the number of idle goroutines, with the flags of [searching] and [blocked].
	state atomic.Uint32
	// token wakes one. It is created when the executor begins to spin.
	token chan struct{}
}

// Parts of the state of a parking.
const (
	idleMask  = 1<<16 - 1 // the number of idle goroutines that were not woken
	searching = 1 << 16   // one was woken and has not looked for a callback yet
	blocked   = 1 << 17   // one for each goroutine that waits for space in the inbox
)

// notify wakes an idle goroutine if there is one and none is searching.
func (p *parking) notify() {
	for {
		s := p.state.Load()
		if s&searching != 0 || s&idleMask == 0 {
			return
		}
		if p.state.CompareAndSwap(s, s-1|searching) {
			p.token <- struct{}{} // there is no other one: it does not block
			return
		}
	}
}

// announce counts the caller as idle. It must look again for a callback and then call wait or cancel.
func (p *parking) announce() { p.state.Add(1) }

// wait waits until the caller is woken: then it is searching.
func (p *parking) wait() { <-p.token }

// cancel ends announce, unless an idle goroutine was woken that may be the caller: then it returns false, and the
// caller must release the turn and wait.
func (p *parking) cancel() bool {
	for {
		s := p.state.Load()
		if s&idleMask == 0 {
			return false
		}
		if p.state.CompareAndSwap(s, s-1) {
			return true
		}
	}
}

// found ends searching, before the caller looks for a callback.
func (p *parking) found() { p.state.And(^uint32(searching)) }

// turn is the right to choose the next callback and to change the executor. Goroutines that run callbacks only try to
// get it. Those that fail wait as idle ones do, and the goroutine that has the turn wakes one when it releases it: it
// may be another one, which does their work.
type turn struct {
	idle   parking
	_      cacheLines
	mu     sync.Mutex
	wanted atomic.Bool
}

// cacheLines separates what goroutines that post read from what those that run callbacks write for each: processors
// fetch pairs of lines of 64 bytes.
type cacheLines [128]byte

// Lock waits for the turn, for all but the executor's goroutines.
func (t *turn) Lock() { t.mu.Lock() }

// Unlock releases the turn.
func (t *turn) Unlock() {
	t.mu.Unlock()
	if t.wanted.Load() && t.wanted.Swap(false) {
		t.idle.notify()
	}
}

// tries is how often a goroutine tries to get the turn, which others have for about 50 ns.
const tries = 100

func (t *turn) try() bool {
	for range tries {
		if t.mu.TryLock() {
			return true
		}
	}
	return false
}
