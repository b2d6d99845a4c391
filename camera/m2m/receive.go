// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
)

// maxAlarms is the maximum number of spurious error conditions: see [vpoll.Poller].
const maxAlarms = 100

// result is the GPU's result for a picture, in CAPTURE buffer index.
type result struct {
	there  bool
	index  int
	number int64
	data   []byte
	ok     bool // not marked as damaged
}

// receive waits for the result of the earliest picture and calls use with it while it is in the GPU's buffer. Errors:
// ErrFrame for that picture, ErrClosed, or one after which the session is unusable.
func (s *session) receive(use func([]byte) error) error {
	s.receiving.Lock()
	defer s.receiving.Unlock()
	t, err := s.earliest()
	if err != nil {
		return err
	}
	r, err := s.await(t)
	if err == nil {
		err = s.deliver(r, use)
	}
	if err == nil || errors.Is(err, camera.ErrFrame) {
		s.mu.Lock()
		if len(s.flight) > 0 && s.flight[0] == t {
			s.flight = slices.Delete(s.flight, 0, 1)
		}
		s.mu.Unlock()
	}
	return err
}

// earliest waits until a picture is in flight.
func (s *session) earliest() (ticket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.flight) == 0 && !s.closed {
		s.change.Wait()
	}
	if s.closed {
		return ticket{}, s.closedError()
	}
	return s.flight[0], nil
}

// await returns the result with the ticket's number. Results are in order, so a later one means that this one is lost.
func (s *session) await(t ticket) (result, error) {
	for {
		r := s.early
		s.early = result{}
		if !r.there {
			var err error
			if r, err = s.fetch(t); err != nil {
				return r, err
			}
		}
		switch {
		case r.number == t.number:
			return r, nil
		case r.number > t.number && s.flying(r.number):
			s.early = r
			return r, fmt.Errorf("%w: %s lost picture %d", camera.ErrFrame, s.card, t.number)
		}
		// The first buffer of a stream may be empty and without a number (seen by uStreamer's authors), and one may
		// arrive late, after its picture was given up.
		if err := s.in.put(r.index, 0, 0); err != nil {
			return r, s.failure(err)
		}
	}
}

// flying reports whether a picture of that number is in flight.
func (s *session) flying(number int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.flight, func(t ticket) bool { return t.number == number })
}

// fetch dequeues the next CAPTURE buffer, whichever ticket it belongs to, until the ticket's deadline.
func (s *session) fetch(t ticket) (result, error) {
	for alarms := 0; alarms < maxAlarms; {
		left := time.Until(t.since.Add(s.timeout))
		ev, err := s.node.Wait(max(left, 0))
		if s.isClosed() {
			return result{}, s.closedError()
		}
		if err != nil {
			return result{}, s.failure(fmt.Errorf("poll: %w", err))
		}
		i, err := s.in.dequeue()
		switch {
		case err == nil:
			data, number, ok := s.in.data()
			return result{true, i, number, data, ok}, nil
		case !errors.Is(err, unix.EAGAIN):
			return result{}, s.failure(err)
		case ev&vpoll.Failed != 0:
			alarms++
		case left <= 0:
			return result{}, fmt.Errorf("%w, %w: %s (%s): no result for picture %d after %v",
				errHang, camera.ErrTimeout, s.path, s.card, t.number, s.timeout)
		}
	}
	return result{}, s.failure(fmt.Errorf("poll: %w", unix.EIO))
}

func (s *session) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// deliver passes a result to use and returns its buffer to the driver.
func (s *session) deliver(r result, use func([]byte) error) error {
	var err error
	if r.ok && len(r.data) > 0 {
		err = use(r.data)
	} else {
		err = fmt.Errorf("%w: %s marked picture %d as damaged, or empty (%d bytes)", camera.ErrFrame, s.card, r.number, len(r.data))
	}
	if perr := s.in.put(r.index, 0, 0); perr != nil {
		return s.failure(perr)
	}
	return err
}
