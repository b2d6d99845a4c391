// SPDX-License-Identifier: Apache-2.0

package main

import (
	"log/slog"
	"sync"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/m2m"
	"github.com/epuck-ros2/epuck-driver/camera/shared"
)

// videoEncoder opens the Raspberry Pi's encoder of H.264; on other machines its error says that there is none.
func videoEncoder(c camera.EncoderConfig) (live.Encoder, error) {
	e, err := m2m.NewH264Encoder(m2m.H264Config{Encoder: c})
	if err != nil { // not a nil pointer in an interface
		return nil, err
	}
	return e, nil
}

// cinema is a robot's camera with both of its audiences: the driver, which publishes pictures, and viewers of the page,
// who watch live video.
type cinema struct {
	optics

	mu     sync.Mutex
	camera *shared.Camera // nil until the driver has said which
}

// choose gives the driver the camera of a name.
func (c *cinema) choose(device string) (camera.Device, error) {
	d, err := c.open(device)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.camera = shared.New(d)
	return c.camera.Owner(), nil
}

// video returns what answers viewers who want live video, nil where the driver has no camera; end waits for them.
func (c *cinema) video(log *slog.Logger) (answer liveVideo, end func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.camera == nil || c.encoder == nil {
		return nil, func() {}, nil
	}
	s, err := live.New(live.Config{Device: c.camera.Guest(), Encoder: c.encoder, Logger: log})
	if err != nil {
		return nil, nil, err
	}
	return s.Answer, s.Close, nil
}
