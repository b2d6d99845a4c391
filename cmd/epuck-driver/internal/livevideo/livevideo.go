// SPDX-License-Identifier: Apache-2.0

// Package livevideo shares a robot's camera between its driver, which publishes pictures, and viewers of the page, who
// watch live video.
package livevideo

import (
	"log/slog"
	"sync"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/shared"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
)

// Camera is a robot's camera with both of its users.
type Camera struct {
	optics hardware.Optics

	mu     sync.Mutex
	camera *shared.Camera // nil until the driver has opened it
}

// New shares the camera of a robot's hardware.
func New(o hardware.Optics) *Camera { return &Camera{optics: o} }

// Open opens the camera of a name for the driver.
func (c *Camera) Open(device string) (camera.Device, error) {
	d, err := c.optics.Open(device)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.camera = shared.New(d)
	return c.camera.Owner(), nil
}

// Serve returns what answers viewers who want live video, nil where the driver has no camera; end waits for them.
func (c *Camera) Serve(log *slog.Logger) (answer page.LiveVideo, end func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.camera == nil || c.optics.Encoder == nil {
		return nil, func() {}, nil
	}
	s, err := live.New(live.Config{Device: c.camera.Viewer(), Encoder: c.optics.Encoder, Logger: log})
	if err != nil {
		return nil, nil, err
	}
	return s.Answer, s.Close, nil
}
