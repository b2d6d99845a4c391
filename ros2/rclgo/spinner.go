// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <rcl/rcl.h>
*/
import "C"

import (
	"errors"
	"io"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo"
)

// spinner waits for messages and events of all endpoints. rclgo's WaitSet is not sufficient: its contents are fixed
// when it begins to wait, and destroying an endpoint on which a thread waits is undefined in rcl. So a change first
// interrupts the waiting thread.
type spinner struct {
	context *C.rcl_context_t
	set     waitSet
	wake    *C.rcl_guard_condition_t
	ended   chan struct{} // closed when run has returned

	mu       sync.Mutex
	quiet    sync.Cond // no call waits, or changes
	waiting  bool
	changing int
	stopped  bool
	recent   bool // an endpoint changed: check matches soon

	graph      *C.rcl_guard_condition_t // nil without a node
	writers    []*writer
	readers    []*reader
	servers    []*server
	requesters []*requester
	events     []*qosEvent
}

func newSpinner(c *rclgo.Context) (*spinner, error) {
	s := &spinner{context: contextHandle(c), ended: make(chan struct{})}
	s.quiet.L = &s.mu
	if err := s.set.init(s.context); err != nil {
		return nil, err
	}
	s.wake = (*C.rcl_guard_condition_t)(C.calloc(1, C.sizeof_rcl_guard_condition_t))
	*s.wake = C.rcl_get_zero_initialized_guard_condition()
	err := check("making a guard condition", func() C.rcl_ret_t {
		return C.rcl_guard_condition_init(s.wake, s.context, C.rcl_guard_condition_get_default_options())
	})
	if err != nil {
		C.free(unsafe.Pointer(s.wake))
		return nil, errors.Join(err, s.set.free())
	}
	return s, nil
}

// free destroys the rcl objects, after stop.
func (s *spinner) free() error {
	err := check("ending a guard condition", func() C.rcl_ret_t { return C.rcl_guard_condition_fini(s.wake) })
	C.free(unsafe.Pointer(s.wake))
	return errors.Join(err, s.set.free())
}

// change runs f, which changes the endpoints, while no call waits.
func (s *spinner) change(f func(*spinner)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changing++
	for s.waiting {
		s.interrupt()
		s.quiet.Wait()
	}
	f(s)
	s.changing--
	s.recent = true
	s.quiet.Broadcast()
}

// interrupt ends the current wait, or the next one if there is none.
func (s *spinner) interrupt() { C.rcl_trigger_guard_condition(s.wake) }

// stop stops the spinner and returns when no callback is running.
func (s *spinner) stop() {
	s.change(func(s *spinner) { s.stopped = true })
	<-s.ended
}

// endpoints returns the remaining endpoints.
func (s *spinner) endpoints() (out []io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out = appendAll(out, s.requesters)
	out = appendAll(out, s.servers)
	out = appendAll(out, s.readers)
	return appendAll(out, s.writers)
}

func appendAll[T io.Closer](to []io.Closer, from []T) []io.Closer {
	for _, e := range from {
		to = append(to, e)
	}
	return to
}

// ready is the result of one wait.
type ready struct {
	graph, recent bool
	take          []func()
}

// next waits until something is ready or the timeout has passed. running is false when the spinner is stopped.
func (s *spinner) next(timeout time.Duration) (r ready, running bool, err error) {
	s.mu.Lock()
	for s.changing > 0 {
		s.quiet.Wait()
	}
	if s.stopped {
		s.mu.Unlock()
		return r, false, nil
	}
	s.waiting = true
	r.recent, s.recent = s.recent, false
	err = s.set.fill(s)
	s.mu.Unlock()
	if r.recent {
		timeout = 0
	}
	if err == nil {
		err = s.set.wait(timeout)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.set.collect(s, &r)
	}
	s.waiting = false
	s.quiet.Broadcast()
	return r, err == nil, err
}

func remove[T comparable](from *[]T, what T) bool {
	i := slices.Index(*from, what)
	if i >= 0 {
		*from = slices.Delete(*from, i, i+1)
	}
	return i >= 0
}
