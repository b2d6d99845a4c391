// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// fakeCamera is a Device whose frames are painted by number. It counts calls and fails on request. Its time is that of
// its bubble.
type fakeCamera struct {
	mu      sync.Mutex
	modes   []Mode
	gone    bool          // not plugged in
	delay   time.Duration // from Open to the first frame
	opened  []Mode
	tries   []time.Time // calls of Open
	open    *fakeSource // the latest one
	every   func(n uint32, f *Frame) error
	buffers int
}

// small is the fake's usual mode: the tests are about order, not about pixels.
var small = Mode{64, 48, YUYV, 15}

func newFakeCamera(modes ...Mode) *fakeCamera {
	if len(modes) == 0 {
		modes = []Mode{small}
	}
	// Sinks attached at one instant all get the first frame.
	return &fakeCamera{modes: modes, buffers: 4, delay: time.Millisecond}
}

func (c *fakeCamera) Name() string { return "fake" }

func (c *fakeCamera) Modes(context.Context) ([]Mode, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return nil, fmt.Errorf("%w: fake", ErrNoDevice)
	}
	return c.modes, nil
}

func (c *fakeCamera) Open(ctx context.Context, want Mode) (Source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tries = append(c.tries, time.Now())
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(c.modes, func(m Mode) bool { return m.Width == want.Width && m.Height == want.Height && m.Format == want.Format }) {
		return nil, &ModeError{Want: want, Have: c.modes}
	}
	if c.open != nil && !c.open.isClosed() {
		return nil, fmt.Errorf("fake: opened twice")
	}
	s := &fakeSource{c: c, mode: want, next: time.Now().Add(c.delay), quit: make(chan struct{})}
	for range c.buffers {
		s.free = append(s.free, make([]byte, want.Width*want.Height*max(1, want.Format.BytesPerPixel())))
	}
	c.open, c.opened = s, append(c.opened, want)
	return s, nil
}

// plug plugs the camera in or pulls it out.
func (c *fakeCamera) plug(in bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = !in
	if !in && c.open != nil {
		c.open.fail(ErrUnplugged)
	}
}

func (c *fakeCamera) opens() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.opened)
}

// openings returns when Open was called.
func (c *fakeCamera) openings() []time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.tries)
}

// held is how many frames of the latest source were unreleased at once, at most.
func (c *fakeCamera) held() int {
	c.mu.Lock()
	s := c.open
	c.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// leftOpen reports what is left open, "" for nothing.
func (c *fakeCamera) leftOpen() string {
	c.mu.Lock()
	s := c.open
	c.mu.Unlock()
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.closed:
		return "the source is not closed"
	case s.out != 0:
		return fmt.Sprintf("%d frames are not released", s.out)
	}
	return ""
}

// fakeSource delivers frames at its mode's rate. A frame for which no buffer is free is lost.
type fakeSource struct {
	c    *fakeCamera
	mode Mode
	quit chan struct{}
	next time.Time
	n    uint32

	mu     sync.Mutex
	closed bool
	failed error
	free   [][]byte
	out    int // frames not released
	most   int // at once
}

func (s *fakeSource) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *fakeSource) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil && !s.closed {
		s.failed = err
		close(s.quit)
	}
}

func (s *fakeSource) Read() (Frame, func(), error) {
	for {
		select {
		case <-time.After(time.Until(s.next)):
		case <-s.quit:
		}
		s.mu.Lock()
		if s.failed != nil {
			defer s.mu.Unlock()
			return Frame{}, nil, s.failed
		}
		stamp := s.next
		s.next = s.next.Add(time.Duration(float64(time.Second) / s.mode.FrameRate))
		s.n++
		if len(s.free) == 0 {
			s.mu.Unlock()
			continue
		}
		buf := s.free[len(s.free)-1]
		s.free = s.free[:len(s.free)-1]
		s.out++
		s.most = max(s.most, s.out)
		s.mu.Unlock()
		f := Frame{Data: buf, Format: s.mode.Format, Width: s.mode.Width, Height: s.mode.Height,
			Stride: s.mode.Width * s.mode.Format.BytesPerPixel(), Stamp: stamp, Sequence: s.n}
		if s.c.every != nil {
			if err := s.c.every(s.n, &f); err != nil {
				s.release(buf)
				return Frame{}, nil, err
			}
		} else {
			paint(&f)
		}
		return f, sync.OnceFunc(func() { s.release(buf) }), nil
	}
}

// paint fills a frame with its number: luma everywhere, no colour.
func paint(f *Frame) {
	for i := range f.Data {
		f.Data[i] = byte(f.Sequence)
		if f.Format == YUYV && i%2 == 1 {
			f.Data[i] = 128
		}
	}
}

func (s *fakeSource) release(buf []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out--
	s.free = append(s.free, buf)
}

func (s *fakeSource) Close() error {
	s.fail(ErrClosed)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}
