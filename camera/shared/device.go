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
	gate   chan struct{} // holds a token while a reader opens or closes it; guards running
	// running is the opened camera; nil while it is closed.
	running *run
}

// New returns a camera that is opened by the first reader and closed when the last has closed it.
func New(d camera.Device) *Camera { return &Camera{device: d, gate: make(chan struct{}, 1)} }

// Owner returns the camera for its owner: it can be opened once at a time, in the requested mode.
func (c *Camera) Owner() camera.Device { return access{c, true} }

// Viewer returns the camera for a viewer: while it is open already, Open returns a source in the mode in which it runs,
// which the source's method Mode returns.
func (c *Camera) Viewer() camera.Device { return access{c, false} }

// access is the camera for the owner or a viewer.
type access struct {
	c     *Camera
	owner bool
}

// Name implements [camera.Device].
func (a access) Name() string { return a.c.device.Name() }

// Modes implements [camera.Device].
func (a access) Modes(ctx context.Context) ([]camera.Mode, error) { return a.c.device.Modes(ctx) }

// Open implements [camera.Device].
func (a access) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	select {
	case a.c.gate <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer a.c.unlock()
	r := a.c.running
	if r != nil && a.owner && r.mode != want || r != nil && r.failed() != nil {
		_ = r.end(errTaken) // the viewers read
		a.c.running, r = nil, nil
	}
	if r == nil {
		src, err := a.c.device.Open(ctx, want)
		if err != nil {
			return nil, err
		}
		r = begin(src, want)
		a.c.running = r
	}
	return r.join(a.c), nil
}

func (c *Camera) unlock() { <-c.gate }

// release removes a reader; the last one closes the camera.
func (c *Camera) release(r *run, v *view) error {
	c.gate <- struct{}{}
	defer c.unlock()
	if !r.remove(v) {
		return nil
	}
	if c.running == r {
		c.running = nil
	}
	return r.end(camera.ErrClosed)
}

// ends reports whether an error is the last one.
func ends(err error) bool { return err != nil && !errors.Is(err, camera.ErrFrame) }
