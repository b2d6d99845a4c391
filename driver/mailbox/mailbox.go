// SPDX-License-Identifier: Apache-2.0

package mailbox

import "context"

// capacity is the number of requests that can be queued without blocking.
const capacity = 4

// Mailbox is a queue of requests to the goroutine that owns a state. It is safe for concurrent use.
type Mailbox struct {
	queue chan request
	wake  chan struct{}   // capacity 1: a request may be queued
	quit  <-chan struct{} // closed when requests are no longer executed
	woken func()          // nil: none
}

// request is one request.
type request struct {
	do   func() error
	done chan error // receives the outcome
}

// New returns an empty queue; requests fail with [ErrClosed] when quit is closed. woken, unless nil, is called by
// Notify, for an owner that does not wait on the channel.
func New(quit <-chan struct{}, woken func()) *Mailbox {
	return &Mailbox{queue: make(chan request, capacity), wake: make(chan struct{}, 1), quit: quit, woken: woken}
}

// Do makes the owner run a function, in [Mailbox.Answer], and returns its error. The error may also be the context's,
// or [ErrClosed]; then the function may still be run.
func (a *Mailbox) Do(ctx context.Context, do func() error) error {
	one := request{do: do, done: make(chan error, 1)}
	select {
	case a.queue <- one:
		a.Notify()
		return a.Outcome(ctx, one.done)
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-a.quit:
		return ErrClosed
	}
}

// Outcome waits for an outcome. The error is the outcome's, the context's, or [ErrClosed].
func (a *Mailbox) Outcome(ctx context.Context, outcome <-chan error) error {
	select {
	case err := <-outcome:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-a.quit:
		return ErrClosed
	}
}

// Notify wakes the owner, which waits on [Mailbox.Wake]. It does not block.
func (a *Mailbox) Notify() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
	if a.woken != nil {
		a.woken()
	}
}

// Wake returns the channel on which the owner waits.
func (a *Mailbox) Wake() <-chan struct{} { return a.wake }

// Woken reports, once, whether the owner was woken. It does not block.
func (a *Mailbox) Woken() bool {
	select {
	case <-a.wake:
		return true
	default:
		return false
	}
}

// Waiting reports whether Woken would.
func (a *Mailbox) Waiting() bool { return len(a.wake) > 0 }

// Answer executes the queued requests, on the owner's goroutine.
func (a *Mailbox) Answer() {
	for len(a.queue) > 0 { // only the owner receives
		one := <-a.queue
		one.done <- one.do()
	}
}
