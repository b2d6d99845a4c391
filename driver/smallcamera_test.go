// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// The size of the small camera's pictures, so that seconds of them cost little.
const (
	smallWidth  = 64
	smallHeight = 48
)

// smallCamera is a camera of small pictures, 15 a second. It counts how often it is opened and closed, and fails on
// request.
type smallCamera struct {
	opened, closed              atomic.Int32
	unplugged, stalled, damaged atomic.Bool
}

// withSmallCamera returns the options of a rig with a smallCamera. Calibrations are kept in a folder of the test.
func withSmallCamera(t *testing.T, args string) (rigOptions, *smallCamera) {
	t.Helper()
	o, c := filmed(t, fmt.Sprintf("-p camera.width:=%d -p camera.height:=%d %s", smallWidth, smallHeight, args)), new(smallCamera)
	o.world = "plane"
	o.config = func(cfg *Config) {
		cfg.Camera = func(string) (camera.Device, error) { return c, nil }
		cfg.CameraCalibration = ownCalibration().Scaled(smallWidth, smallHeight)
	}
	return o, c
}

var smallMode = camera.Mode{Width: smallWidth, Height: smallHeight, Format: camera.YUYV, FrameRate: 15}

func (c *smallCamera) Name() string { return "small camera" }

func (c *smallCamera) Modes(context.Context) ([]camera.Mode, error) {
	if c.unplugged.Load() {
		return nil, camera.ErrNoDevice
	}
	// the second is of no use
	return []camera.Mode{smallMode, {Width: 1920, Height: 1080, Format: 'H' | '2'<<8 | '6'<<16 | '4'<<24}}, nil
}

func (c *smallCamera) Open(context.Context, camera.Mode) (camera.Source, error) {
	if c.unplugged.Load() {
		return nil, camera.ErrNoDevice
	}
	c.opened.Add(1)
	s := &smallSource{c: c, done: make(chan struct{}), data: make([]byte, 2*smallWidth*smallHeight)}
	for i := range s.data {
		s.data[i] = byte(i * i >> 5)
	}
	return s, nil
}

type smallSource struct {
	c    *smallCamera
	done chan struct{}
	data []byte
	seq  uint32
}

func (s *smallSource) Read() (camera.Frame, func(), error) {
	wait := time.Second / 15
	if s.c.stalled.Load() {
		wait = 2 * time.Second
	}
	select {
	case <-s.done:
		return camera.Frame{}, nil, camera.ErrClosed
	case <-time.After(wait):
	}
	s.seq++
	switch {
	case s.c.unplugged.Load():
		return camera.Frame{}, nil, camera.ErrUnplugged
	case s.c.stalled.Load():
		return camera.Frame{}, nil, camera.ErrTimeout
	case s.c.damaged.Load() && s.seq%2 == 0:
		return camera.Frame{}, nil, camera.ErrFrame
	}
	return camera.Frame{
		Data: s.data, Format: camera.YUYV, Width: smallWidth, Height: smallHeight, Stride: 2 * smallWidth,
		Stamp: time.Now(), Sequence: s.seq, Range: yuv.Full,
	}, func() {}, nil
}

func (s *smallSource) Close() error {
	s.c.closed.Add(1)
	close(s.done)
	return nil
}
