// SPDX-License-Identifier: Apache-2.0

package waitset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// ErrTimeout means that no condition became ready in time.
var ErrTimeout = errors.New("waitset: no condition became ready in time")

// Set is a set of conditions to wait for. One goroutine waits at a time; conditions may be added and removed meanwhile.
// It is created by [New]; Close it when done.
type Set struct {
	wake   chan struct{} // holds a token when a condition may have become ready
	signal func()

	mu         sync.Mutex
	conditions []Condition
	ready      []Condition // of the last Wait
	timer      *time.Timer
}

// New returns a set of conditions, which must belong to no other set.
func New(conditions ...Condition) (*Set, error) {
	s := &Set{wake: make(chan struct{}, 1), timer: time.NewTimer(time.Hour)}
	s.timer.Stop()
	s.signal = func() {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
	for i, c := range conditions {
		if err := s.Add(c); err != nil {
			s.Close()
			return nil, fmt.Errorf("condition %d: %w", i, err)
		}
	}
	return s, nil
}

// Add adds a condition. The error is [ErrInUse] if it belongs to a set already.
func (s *Set) Add(c Condition) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := c.Attach(s.signal); err != nil {
		return err
	}
	s.conditions = append(s.conditions, c)
	s.signal() // it may be ready
	return nil
}

// Remove removes a condition, after which it may be added to another set.
func (s *Set) Remove(c Condition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.conditions, c); i >= 0 {
		s.conditions = slices.Delete(s.conditions, i, i+1)
		c.Detach()
	}
}

// Wait waits until at least one condition is ready and returns those that are, in the order in which they were added;
// the slice is valid until the next call. A negative timeout is none, with 0 it does not wait. The error is
// [ErrTimeout] or that of ctx.
func (s *Set) Wait(ctx context.Context, timeout time.Duration) ([]Condition, error) {
	var expired <-chan time.Time
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if ready := s.collect(); len(ready) > 0 {
			return ready, nil
		}
		switch {
		case timeout == 0:
			return nil, ErrTimeout
		case timeout > 0 && expired == nil:
			s.timer.Reset(timeout)
			defer s.timer.Stop()
			expired = s.timer.C
		}
		select {
		case <-s.wake:
		case <-expired:
			timeout = 0 // one more look
		case <-ctx.Done():
		}
	}
}

// collect returns the conditions that are ready.
func (s *Set) collect() []Condition {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = s.ready[:0]
	for _, c := range s.conditions {
		if c.Ready() {
			s.ready = append(s.ready, c)
		}
	}
	return s.ready
}

// Close removes all conditions. It does not close them.
func (s *Set) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conditions {
		c.Detach()
	}
	s.conditions = nil
}
