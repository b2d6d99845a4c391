// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"fmt"
	"slices"
)

// Sink is a receiver of pictures, attached with [Pipeline.Attach]. Its methods are safe for concurrent use and may be
// called by its own function.
type Sink struct {
	p       *Pipeline
	deliver func(*Image)
	wake    chan struct{} // something is pending
	quit    chan struct{} // closed by detach
	image   Image         // argument of deliver; run's

	// Guarded by p.mu.
	want               Output
	pending            *picture
	detached           bool
	delivered, dropped uint64
}

// Set changes the sink's output, from the next picture on. The error matches [ErrSetting] or [ErrClosed]; then nothing
// changes. Pictures are not scaled up: a larger size results in the camera's size.
func (s *Sink) Set(want Output) error {
	if err := want.check(); err != nil {
		return err
	}
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	if s.detached {
		return fmt.Errorf("%w: sink", ErrClosed)
	}
	s.want = want
	s.p.regroup()
	return nil
}

// Close detaches the sink and closes the camera if it was the last. It does not wait: the current delivery may still
// run when Close returns, but no other follows. It may be called more than once.
func (s *Sink) Close() error {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	s.p.detach(s)
	return nil
}

// detach removes a sink. p.mu is held.
func (p *Pipeline) detach(s *Sink) {
	if s.detached {
		return
	}
	s.detached = true
	close(s.quit)
	s.drop()
	p.sinks = slices.DeleteFunc(p.sinks, func(o *Sink) bool { return o == s })
	p.regroup()
	if len(p.sinks) == 0 {
		p.cancel()
	}
}

// run calls the sink's function with each pending picture.
func (s *Sink) run() {
	for {
		select {
		case <-s.quit:
			return
		case <-s.wake:
		}
		pic := s.pop()
		if pic == nil {
			continue
		}
		s.deliver(&s.image)
		s.p.mu.Lock()
		s.delivered++
		pic.unref()
		s.p.mu.Unlock()
	}
}

// pop returns the pending picture with its reference, and sets s.image.
func (s *Sink) pop() *picture {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	pic := s.pending
	if pic != nil {
		s.pending = nil
		s.image = pic.image
	}
	return pic
}

// offer stores a picture as the pending one, replacing an older one. p.mu is held.
func (s *Sink) offer(pic *picture) {
	if s.detached {
		return
	}
	if s.pending != nil {
		s.dropped++
		s.drop()
	}
	pic.refs++
	s.pending = pic
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// drop discards the pending picture. p.mu is held.
func (s *Sink) drop() {
	if s.pending != nil {
		s.pending.unref()
		s.pending = nil
	}
}
