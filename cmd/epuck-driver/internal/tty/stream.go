// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
)

// Stream is standard output or standard error of the program: every command writes through one, so that write errors
// are known at the end ([Stream.Err]) although most commands do not check each line. It is safe for concurrent use.
type Stream struct {
	w io.Writer

	mu  sync.Mutex // not held during a write
	err error      // the first
}

// NewStream returns a stream to w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Write writes to the underlying writer. After a broken pipe it writes nothing more.
func (s *Stream) Write(p []byte) (int, error) {
	if err := s.Err(); IsBrokenPipe(err) {
		return 0, err
	}
	n, err := s.w.Write(p)
	if err != nil {
		s.mu.Lock()
		if s.err == nil {
			s.err = err
		}
		s.mu.Unlock()
	}
	return n, err
}

// Err returns the first write error, nil if everything was written.
func (s *Stream) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// IsBrokenPipe reports whether an error means that the reader of a pipe has closed it, as head(1) does.
func IsBrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// File returns the file that a writer of this package, or of package printable, writes to; false if there is none.
func File(w io.Writer) (*os.File, bool) {
	for {
		switch below := w.(type) {
		case *os.File:
			return below, true
		case *Stream:
			w = below.w
		case *Outlet:
			w = below.w
		case *printable.Writer:
			w = printable.Unwrap(below)
		default:
			return nil, false
		}
	}
}
