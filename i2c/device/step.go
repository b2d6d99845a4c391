// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"
	"fmt"
	"time"
)

// Step is one transaction of a start-up.
type Step struct {
	// Wait is the least time after the previous step. It defaults to none.
	Wait time.Duration
	// Addr is the bus address. It defaults to the chip's.
	Addr uint16
	// Write holds the bytes to write, the register's number first.
	Write []byte
	// Do is called instead of a transaction, for a chip that is accessed in another way.
	Do func() error
	// Split makes the write and the read two transactions, in two calls of Poll, for a chip that does not support a
	// repeated start.
	Split bool
	// Prepare fills in bytes of Write that are only known at run time. It defaults to none.
	Prepare func(w []byte)
	// Read is the number of bytes to read after the write, at most maxRead.
	Read int
	// Check checks the bytes read. With [ErrAgain] the step is repeated, from the next Poll on, until Timeout; any
	// other error ends the start-up. It defaults to no check.
	Check func(r []byte) error
	// Timeout is how long Check may return [ErrAgain]. It defaults to 200 ms.
	Timeout time.Duration
	// Tries is how often the step may fail on the bus in a row, and Pause the least time between two tries. They
	// default to 3 and to none.
	Tries int
	Pause time.Duration
}

// Defaults of a [Step].
const (
	// maxRead is the maximum number of bytes a step may read.
	maxRead        = 32
	defaultTimeout = 200 * time.Millisecond
	defaultTries   = 3
)

// sequence runs steps in order, as many per call as the port may make transactions.
type sequence struct {
	steps []Step
	at    int
	fails int       // of the current step in a row
	began time.Time // when the current step was first made; zero before
	tried time.Time // when it failed last
	ended time.Time // when the previous step was done
	r     [maxRead]byte
}

// start begins a new list of steps.
func (s *sequence) start(steps []Step, now time.Time) {
	s.steps, s.at, s.fails, s.began, s.ended = steps, 0, 0, time.Time{}, now
}

// run makes steps until they are done (true), the port may make no more transactions, or time has to pass first. An
// error ends the sequence. seen is the last error on the bus, even if the step will be repeated.
func (s *sequence) run(p *port, now time.Time) (done bool, seen, err error) {
	for s.at < len(s.steps) {
		st := &s.steps[s.at]
		if p.left <= 0 || now.Before(s.next()) {
			return false, nil, nil
		}
		if s.began.IsZero() {
			s.began = now
		}
		r := s.r[:min(st.Read, maxRead)]
		finished, busErr := p.step(st, r)
		if errors.Is(busErr, ErrPostponed) {
			return false, busErr, nil
		}
		if busErr != nil {
			s.tried = now
			if s.fails++; s.fails >= orDefault(st.Tries, defaultTries) {
				return false, busErr, busErr
			}
			return false, busErr, nil
		}
		if !finished {
			continue
		}
		s.fails = 0
		if st.Check != nil {
			if again, err := st.evaluate(r, now.Sub(s.began)); again || err != nil {
				return false, nil, err
			}
		}
		s.at++
		s.began, s.ended = time.Time{}, now
	}
	return true, nil, nil
}

// next is when the current step may be made.
func (s *sequence) next() time.Time {
	if s.at >= len(s.steps) {
		return s.ended
	}
	st := &s.steps[s.at]
	if s.fails > 0 {
		return s.tried.Add(st.Pause)
	}
	return s.ended.Add(st.Wait)
}

// evaluate calls Check; again means that the step has to be repeated later.
func (st *Step) evaluate(r []byte, waited time.Duration) (again bool, err error) {
	err = st.Check(r)
	if !errors.Is(err, ErrAgain) {
		return false, err
	}
	if timeout := orDefault(st.Timeout, defaultTimeout); waited >= timeout {
		return false, fmt.Errorf("%w: register %#02x still % x after %v", ErrTimeout, st.Write[0], r, waited)
	}
	return true, nil
}

// orDefault returns v, or def if v is zero.
func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
