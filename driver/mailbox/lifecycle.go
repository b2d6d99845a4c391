// SPDX-License-Identifier: Apache-2.0

// Package mailbox connects the goroutines of a driver, with one lock for each type: exclusive use of the bus
// ([Lifecycle]), requests to the goroutine that owns it ([Mailbox]), the latest value ([Latest]), and a limit for log
// lines ([Limiter]).
package mailbox

import (
	"errors"
	"sync"
)

// Sentinel errors.
var (
	// ErrRunning is matched while another caller uses the bus.
	ErrRunning = errors.New("driver: already running")
	// ErrClosed is matched after the last use.
	ErrClosed = errors.New("driver: closed")
)

// Lifecycle serialises the use of the bus: one user at a time, until the last one leaves or it is shut down. It is safe
// for concurrent use.
type Lifecycle struct {
	quit chan struct{} // closed by Shut

	mu     sync.Mutex
	idle   sync.Cond // signals that the bus is not in use
	state  state
	closed bool
}

type state uint8

const (
	idle state = iota
	busy       // between Enter and Leave
	over       // the last user has left, or it is shut down
)

// NewLifecycle returns a Lifecycle that can be entered.
func NewLifecycle() *Lifecycle {
	l := &Lifecycle{quit: make(chan struct{})}
	l.idle.L = &l.mu
	return l
}

// Quit returns the channel that Shut closes.
func (l *Lifecycle) Quit() <-chan struct{} { return l.quit }

// Enter reserves the bus for the caller until Leave. Errors match [ErrRunning] or [ErrClosed].
func (l *Lifecycle) Enter() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed || l.state == over:
		return ErrClosed
	case l.state == busy:
		return ErrRunning
	}
	l.state = busy
	return nil
}

// Leave releases the bus; after the last user it can't be entered again.
func (l *Lifecycle) Leave(last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = idle
	if last {
		l.state = over
	}
	l.idle.Broadcast()
}

// Shut prevents further use and waits until the bus is free. first reports that this is the first call, ran that the
// last user has left before.
func (l *Lifecycle) Shut() (first, ran bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, l.closed = !l.closed, true
	if first {
		close(l.quit)
	}
	for l.state == busy {
		l.idle.Wait()
	}
	ran = l.state == over
	l.state = over
	return first, ran
}
