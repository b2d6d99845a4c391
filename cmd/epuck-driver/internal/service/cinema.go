// SPDX-License-Identifier: Apache-2.0

package service

import (
	"log/slog"
	"sync"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/shared"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
)

// cinema is a robot's camera with both of its audiences: the driver, which publishes pictures, and viewers of the page,
// who watch live video.
type cinema struct {
	hardware.Optics

	mu     sync.Mutex
	camera *shared.Camera // nil until the driver has said which
}

// choose gives the driver the camera of a name.
func (c *cinema) choose(device string) (camera.Device, error) {
	d, err := c.Open(device)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.camera = shared.New(d)
	return c.camera.Owner(), nil
}

// video returns what answers viewers who want live video, nil where the driver has no camera; end waits for them.
func (c *cinema) video(log *slog.Logger) (answer page.LiveVideo, end func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.camera == nil || c.Encoder == nil {
		return nil, func() {}, nil
	}
	s, err := live.New(live.Config{Device: c.camera.Viewer(), Encoder: c.Encoder, Logger: log})
	if err != nil {
		return nil, nil, err
	}
	return s.Answer, s.Close, nil
}
