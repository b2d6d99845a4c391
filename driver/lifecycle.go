// SPDX-License-Identifier: Apache-2.0

package driver

import "sync"

// lifecycle tells who may use the bus: Run once, or Step as often as wanted before it, until the driver is closed. It is
// safe for concurrent use.
type lifecycle struct {
	quit chan struct{} // closed by Close

	mu     sync.Mutex
	state  lifeState
	closed bool
	idle   chan struct{} // closed when nobody uses the bus
}

type lifeState uint8

const (
	lifeIdle lifeState = iota
	lifeBusy           // in Run or Step
	lifeOver           // Run has returned, or the driver is closed
)

func (l *lifecycle) init() {
	l.quit, l.idle = make(chan struct{}), make(chan struct{})
	close(l.idle)
}

// enter takes the bus; the caller must leave.
func (l *lifecycle) enter() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed || l.state == lifeOver:
		return ErrClosed
	case l.state == lifeBusy:
		return ErrRunning
	}
	l.state, l.idle = lifeBusy, make(chan struct{})
	return nil
}

// leave gives the bus back; over tells that nobody may take it again.
func (l *lifecycle) leave(over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = lifeIdle
	if over || l.closed {
		l.state = lifeOver
	}
	close(l.idle)
}

// shut ends the life and waits until nobody uses the bus. first tells that this call is the one that closed it, and ran
// whether the wheels were stopped already by the end of Run.
func (l *lifecycle) shut() (first, ran bool) {
	l.mu.Lock()
	first, l.closed = !l.closed, true
	if first {
		close(l.quit)
	}
	idle := l.idle
	l.mu.Unlock()
	<-idle
	l.mu.Lock()
	defer l.mu.Unlock()
	ran = l.state == lifeOver
	l.state = lifeOver
	return first, ran
}
