// SPDX-License-Identifier: Apache-2.0

package i2cfake

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// ErrScript is matched when the transactions made are not those of the script.
var ErrScript = errors.New("i2cfake: not in the script")

// Step is one expected transaction.
type Step struct {
	Addr  uint16 // 7-bit address
	Write []byte // the bytes that must be written; nil accepts any
	Read  []byte // the bytes that are read; as many as are asked for, unless Err is set
	Err   error  // what the transaction returns
}

// Script is a bus that expects its steps in order. It is safe for concurrent use. The first deviation from the script
// is kept for [Script.Done]; all later transactions fail too.
type Script struct {
	mu    sync.Mutex
	steps []Step
	next  int
	wrong error
}

var _ pi2c.BusCloser = (*Script)(nil)

// NewScript returns a bus that expects the steps.
func NewScript(steps ...Step) *Script { return &Script{steps: steps} }

// String names the fake.
func (s *Script) String() string { return "script" }

// SetSpeed accepts every speed.
func (s *Script) SetSpeed(physic.Frequency) error { return nil }

// Tx plays back the next step.
func (s *Script) Tx(addr uint16, w, r []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrong != nil {
		return s.wrong
	}
	if s.next == len(s.steps) {
		return s.fail("address %#02x, write % x: the script has only %d steps", addr, w, len(s.steps))
	}
	step := s.steps[s.next]
	switch {
	case step.Addr != addr:
		return s.fail("address %#02x, want %#02x", addr, step.Addr)
	case step.Write != nil && !bytes.Equal(step.Write, w):
		return s.fail("write % x, want % x", w, step.Write)
	case step.Err == nil && len(step.Read) != len(r):
		return s.fail("read of %d bytes, want %d", len(r), len(step.Read))
	}
	s.next++
	copy(r, step.Read)
	return step.Err
}

func (s *Script) fail(format string, args ...any) error {
	s.wrong = fmt.Errorf("%w: step %d: "+format, append([]any{ErrScript, s.next}, args...)...)
	return s.wrong
}

// Done returns the first deviation from the script, or an error if steps are left.
func (s *Script) Done() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrong == nil && s.next < len(s.steps) {
		return fmt.Errorf("%w: only %d of %d steps were made", ErrScript, s.next, len(s.steps))
	}
	return s.wrong
}

// Close is [Script.Done].
func (s *Script) Close() error { return s.Done() }
