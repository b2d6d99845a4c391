// SPDX-License-Identifier: Apache-2.0

// Package livevideo serves the page with live video: it shares a robot's camera between the driver, which publishes
// pictures, and viewers of the page.
package livevideo

import (
	"errors"
	"io"
	"log/slog"
	"sync"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/shared"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Camera is a robot's camera, shared by the driver and the viewers.
type Camera struct {
	optics hardware.Optics

	mu     sync.Mutex
	camera *shared.Camera // nil until the driver has opened it
}

// New shares the camera of a robot's hardware.
func New(o hardware.Optics) *Camera { return &Camera{optics: o} }

// Open opens the camera device for the driver.
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

// Show serves the page of a site on a network, with the live video of a camera for the robot in a namespace, and prints its
// address. The camera may be nil. end stops the server and the video; it is not nil.
func Show(site *page.Site, t ros2.Transport, c *Camera, namespace string, out io.Writer, log *slog.Logger) (end func() error, err error) {
	if !site.Wanted() {
		return func() error { return nil }, nil
	}
	answer, endVideo, err := c.serve(log)
	if err != nil {
		return nil, err
	}
	server, err := site.Open(t, ros2.NodeName{}, answer, namespace, log)
	if err != nil {
		endVideo()
		return nil, err
	}
	site.Keep(server)
	stop := page.Start(server, log)
	end = func() error {
		err := stop()
		endVideo()
		return err
	}
	if err := page.Announce(out, server); err != nil {
		return nil, errors.Join(err, end())
	}
	return end, nil
}

// serve returns the handler of viewers' offers, nil if the driver has no camera; end closes it and waits for them.
func (c *Camera) serve(log *slog.Logger) (answer page.LiveVideo, end func(), err error) {
	if c == nil {
		return nil, func() {}, nil
	}
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
