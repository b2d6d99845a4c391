// SPDX-License-Identifier: Apache-2.0

package driver

import "sync"

// lifecycle tells who may use the bus: Run once, or Step as often as wanted before it, until the driver is closed. It
// is safe for concurrent use.
type lifecycle struct {
	quit chan struct{} // closed by Close

	mu     sync.Mutex
	idle   sync.Cond // the bus is not used any more
	state  lifeState
	closed bool
}

type lifeState uint8

const (
	lifeIdle lifeState = iota
	lifeBusy           // in Run or Step
	lifeOver           // Run has returned, or the driver is closed
)

func (l *lifecycle) init() {
	l.quit, l.idle.L = make(chan struct{}), &l.mu
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
	l.state = lifeBusy
	return nil
}

// leave gives the bus back; over tells that it can't be taken again.
func (l *lifecycle) leave(over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = lifeIdle
	if over {
		l.state = lifeOver
	}
	l.idle.Broadcast()
}

// shut ends the life and waits until the bus is free. first tells that this call is the one that closed it, and ran
// that Run has ended, which stopped the wheels.
func (l *lifecycle) shut() (first, ran bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, l.closed = !l.closed, true
	if first {
		close(l.quit)
	}
	for l.state == lifeBusy {
		l.idle.Wait()
	}
	ran = l.state == lifeOver
	l.state = lifeOver
	return first, ran
}
