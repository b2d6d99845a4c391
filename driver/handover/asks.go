// SPDX-License-Identifier: Apache-2.0

package handover

import "context"

// asksRoom is how many may ask at once without waiting for each other.
const asksRoom = 4

// Asks are what goroutines want done by the one that owns something. It is safe for concurrent use.
type Asks struct {
	queue chan ask
	wake  chan struct{}   // holds one wish to look at the queue
	quit  <-chan struct{} // closed when there are no answers any more
}

// ask is one of them.
type ask struct {
	do   func() error
	done chan error // holds the outcome
}

// NewAsks makes an empty queue; who asks gets [ErrClosed] when quit is closed.
func NewAsks(quit <-chan struct{}) *Asks {
	return &Asks{queue: make(chan ask, asksRoom), wake: make(chan struct{}, 1), quit: quit}
}

// Do has a function run by the owner, in [Asks.Answer], and gives its error. It may also be the context's, or
// [ErrClosed]; then the function may still be run.
func (a *Asks) Do(ctx context.Context, do func() error) error {
	one := ask{do: do, done: make(chan error, 1)}
	select {
	case a.queue <- one:
		a.Stir()
		return a.Outcome(ctx, one.done)
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-a.quit:
		return ErrClosed
	}
}

// Outcome waits for an outcome. The error is the outcome's, the context's, or [ErrClosed].
func (a *Asks) Outcome(ctx context.Context, outcome <-chan error) error {
	select {
	case err := <-outcome:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-a.quit:
		return ErrClosed
	}
}

// Stir wakes the owner, who waits for [Asks.Wake]. It does not block.
func (a *Asks) Stir() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Wake is what the owner waits for.
func (a *Asks) Wake() <-chan struct{} { return a.wake }

// Woken reports, once, whether the owner was woken. It does not block.
func (a *Asks) Woken() bool {
	select {
	case <-a.wake:
		return true
	default:
		return false
	}
}

// Answer does what others have asked for, on the owner's goroutine.
func (a *Asks) Answer() {
	for {
		select {
		case one := <-a.queue:
			one.done <- one.do()
		default:
			return
		}
	}
}
