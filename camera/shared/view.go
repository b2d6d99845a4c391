// SPDX-License-Identifier: Apache-2.0

package shared

import (
	"sync"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// view is the camera as one reader opened it: a camera.Source. It holds the newest unread frame.
type view struct {
	c    *Camera
	r    *run
	news chan struct{} // holds a token when there is something to read

	mu     sync.Mutex
	next   *share
	bad    error // error of a damaged frame, not yet reported
	over   error // reason of the end
	closed bool
}

// Mode returns the mode that the camera runs in.
func (v *view) Mode() camera.Mode { return v.r.mode }

// put stores a frame as the next one.
func (v *view) put(s *share) {
	v.mu.Lock()
	old := s // after the end a previous frame is released by Read or Close
	if !v.closed && v.over == nil {
		old, v.next = v.next, s
	}
	v.mu.Unlock()
	if old != nil {
		old.free()
	}
	v.wake()
}

func (v *view) fail(err error) {
	v.mu.Lock()
	if !ends(err) {
		v.bad = err
	} else if v.over == nil {
		v.over = err
	}
	v.mu.Unlock()
	v.wake()
}

func (v *view) wake() {
	select {
	case v.news <- struct{}{}:
	default:
	}
}

// Read implements [camera.Source].
func (v *view) Read() (camera.Frame, func(), error) {
	for {
		v.mu.Lock()
		s, bad, over := v.next, v.bad, v.over
		v.next, v.bad = nil, nil
		v.mu.Unlock()
		switch {
		case s != nil && over == nil:
			return s.Frame, sync.OnceFunc(s.free), nil
		case s != nil:
			s.free()
		case over == nil && bad != nil:
			return camera.Frame{}, nil, bad
		}
		if over != nil {
			v.wake() // for the next Read
			return camera.Frame{}, nil, over
		}
		<-v.news
	}
}

// Close implements [camera.Source].
func (v *view) Close() error {
	v.mu.Lock()
	was, s := v.closed, v.next
	v.closed, v.next = true, nil
	v.mu.Unlock()
	if was {
		return nil
	}
	if s != nil {
		s.free()
	}
	v.fail(camera.ErrClosed)
	return v.c.release(v.r, v)
}
