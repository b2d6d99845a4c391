// SPDX-License-Identifier: Apache-2.0

package mailbox_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
)

// TestOwnerExecutesRequests: requests run on the owner's goroutine, in order, and return their errors.
func TestOwnerExecutesRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := mailbox.New(make(chan struct{}), nil)
		ctx, cancel := context.WithCancel(t.Context())
		owned := 0
		over := make(chan struct{})
		go func() {
			defer close(over)
			for {
				select {
				case <-a.Wake():
					a.Answer()
				case <-ctx.Done():
					return
				}
			}
		}()
		broken := errors.New("broken")
		for i := range 3 {
			if err := a.Do(ctx, func() error { owned++; return nil }); err != nil || owned != i+1 {
				t.Errorf("%v, %d", err, owned)
			}
		}
		if err := a.Do(ctx, func() error { return broken }); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
		cancel()
		<-over
	})
}

// TestRequestEndsWithContextAndOwner: a request waits no longer than its context and the owner's lifecycle, also when
// the queue is full.
func TestRequestEndsWithContextAndOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quit := make(chan struct{})
		a := mailbox.New(quit, nil)
		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		results := make(chan error, 6)
		for range 6 { // more than the capacity
			go func() { results <- a.Do(ctx, func() error { return nil }) }()
		}
		synctest.Wait()
		if len(results) > 0 {
			t.Errorf("%v without an answer", <-results)
		}
		cancel(gone)
		for range 6 {
			if err := <-results; !errors.Is(err, gone) {
				t.Errorf("%v", err)
			}
		}
		close(quit)
		if err := a.Do(context.Background(), nil); !errors.Is(err, mailbox.ErrClosed) {
			t.Errorf("%v", err)
		}
		if err := a.Outcome(context.Background(), nil); !errors.Is(err, mailbox.ErrClosed) {
			t.Errorf("%v", err)
		}
	})
}

// TestNotifyDoesNotBlock: several notifications count as one.
func TestNotifyDoesNotBlock(t *testing.T) {
	a := mailbox.New(nil, nil)
	for range 3 {
		a.Notify()
	}
	<-a.Wake()
	select {
	case <-a.Wake():
		t.Error("woken twice")
	default:
	}
	a.Answer() // no request is queued
}
