// SPDX-License-Identifier: Apache-2.0

package waitset

import (
	"errors"
	"sync/atomic"
)

// ErrInUse means that the condition belongs to another wait set or task.
var ErrInUse = errors.New("waitset: the condition belongs to another wait set or task")

// Condition is something that can be waited for: a [Queue] or what embeds one ([Subscription], [Service], [Client],
// [Ticker]), a [Guard] or a [File].
type Condition interface {
	// Ready reports whether there is something to take.
	Ready() bool
	// Attach sets the function that is called each time the condition may have become ready, on any goroutine; it must
	// not block. The error is [ErrInUse] if there is one already.
	Attach(wake func()) error
	// Detach removes it.
	Detach()
}

// notifier is the part of a condition that wakes the waiting goroutine. The zero value is ready.
type notifier struct{ wake atomic.Pointer[func()] }

// Attach implements [Condition].
func (n *notifier) Attach(wake func()) error {
	if !n.wake.CompareAndSwap(nil, &wake) {
		return ErrInUse
	}
	return nil
}

// Detach implements [Condition].
func (n *notifier) Detach() { n.wake.Store(nil) }

func (n *notifier) notify() {
	if wake := n.wake.Load(); wake != nil {
		(*wake)()
	}
}

// Guard is a guard condition: the program itself makes it ready, from any goroutine. The zero value is ready to use and
// must not be copied.
type Guard struct {
	notifier
	triggered atomic.Bool
}

// Trigger makes the condition ready. Triggering it again before it was taken changes nothing.
func (g *Guard) Trigger() {
	g.triggered.Store(true)
	g.notify()
}

// Ready implements [Condition].
func (g *Guard) Ready() bool { return g.triggered.Load() }

// Take reports whether the condition was triggered since the last call.
func (g *Guard) Take() bool { return g.triggered.Swap(false) }
