// SPDX-License-Identifier: Apache-2.0

package shared

import (
	"context"
	"errors"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Camera is a camera that is shared. It is safe for concurrent use.
type Camera struct {
	device camera.Device
	gate   chan struct{} // holds a token while a seat opens or closes; guards running
	// running is the opened camera; nil while it is closed.
	running *run
}

// New returns a camera that is opened when the first wants it and closed when the last has closed it.
func New(d camera.Device) *Camera { return &Camera{device: d, gate: make(chan struct{}, 1)} }

// Owner returns the camera as its owner sees it: it can be opened once at a time, in the mode that is asked for.
func (c *Camera) Owner() camera.Device { return seat{c, true} }

// Guest returns the camera as a guest sees it: while it is open already, Open gives it in the mode it runs in, which
// the source tells by its method Mode.
func (c *Camera) Guest() camera.Device { return seat{c, false} }

// seat is the camera as one side sees it.
type seat struct {
	c     *Camera
	owner bool
}

// Name implements [camera.Device].
func (s seat) Name() string { return s.c.device.Name() }

// Modes implements [camera.Device].
func (s seat) Modes(ctx context.Context) ([]camera.Mode, error) { return s.c.device.Modes(ctx) }

// Open implements [camera.Device].
func (s seat) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	select {
	case s.c.gate <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer s.c.leave()
	r := s.c.running
	if r != nil && s.owner && r.mode != want || r != nil && r.failed() != nil {
		_ = r.end(errTaken) // the guest hears why
		s.c.running, r = nil, nil
	}
	if r == nil {
		src, err := s.c.device.Open(ctx, want)
		if err != nil {
			return nil, err
		}
		r = begin(src, want)
		s.c.running = r
	}
	return r.join(s.c), nil
}

func (c *Camera) leave() { <-c.gate }

// part takes a reader's leave of the camera; the last one closes it.
func (c *Camera) part(r *run, v *view) error {
	c.gate <- struct{}{}
	defer c.leave()
	if !r.part(v) {
		return nil
	}
	if c.running == r {
		c.running = nil
	}
	return r.end(camera.ErrClosed)
}

// ends reports whether nothing more comes after an error.
func ends(err error) bool { return err != nil && !errors.Is(err, camera.ErrFrame) }
