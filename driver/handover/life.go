// SPDX-License-Identifier: Apache-2.0

// Package handover is what goroutines of a driver leave for each other, each under a lock of its own: who may use the
// bus, what is to be done by the goroutine that owns it, the latest of something, and how often a log line may come.
package handover

import (
	"errors"
	"sync"
)

// Sentinel errors.
var (
	// ErrRunning is matched while another uses the bus.
	ErrRunning = errors.New("driver: already running")
	// ErrClosed is matched when it is over.
	ErrClosed = errors.New("driver: closed")
)

// Life tells who may use the bus: one at a time, until the last has left or it is shut. It is safe for concurrent use.
type Life struct {
	quit chan struct{} // closed by Shut

	mu     sync.Mutex
	idle   sync.Cond // the bus is not used any more
	state  state
	closed bool
}

type state uint8

const (
	idle state = iota
	busy       // between Enter and Leave
	over       // the last has left, or it is shut
)

// NewLife begins a life.
func NewLife() *Life {
	l := &Life{quit: make(chan struct{})}
	l.idle.L = &l.mu
	return l
}

// Quit is closed by Shut.
func (l *Life) Quit() <-chan struct{} { return l.quit }

// Enter gives the caller the bus, who must Leave. Errors match [ErrRunning] or [ErrClosed].
func (l *Life) Enter() error {
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

// Leave gives the bus back; last tells that it can't be entered again.
func (l *Life) Leave(last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = idle
	if last {
		l.state = over
	}
	l.idle.Broadcast()
}

// Shut ends the life and waits until the bus is free. first tells that this call is the one that ended it, and ran that
// the last had left before.
func (l *Life) Shut() (first, ran bool) {
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
