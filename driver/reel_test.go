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

// The size of a reel's pictures: small, so that seconds of them cost little.
const (
	reelWidth  = 64
	reelHeight = 48
)

// reel is a camera of small pictures, 15 a second, for tests of what becomes of them. It counts how often it is opened
// and closed, and fails as told.
type reel struct {
	opened, closed              atomic.Int32
	unplugged, stalled, damaged atomic.Bool
}

// projected are the options of a rig with a reel in its camera. Calibrations are kept in a folder of the test's.
func projected(t *testing.T, args string) (rigOptions, *reel) {
	t.Helper()
	o, c := filmed(t, fmt.Sprintf("-p camera.width:=%d -p camera.height:=%d %s", reelWidth, reelHeight, args)), new(reel)
	o.world = "plane"
	o.config = func(cfg *Config) {
		cfg.Camera = func(string) (camera.Device, error) { return c, nil }
		cfg.CameraCalibration = ownCalibration().Scaled(reelWidth, reelHeight)
	}
	return o, c
}

var reelMode = camera.Mode{Width: reelWidth, Height: reelHeight, Format: camera.YUYV, FrameRate: 15}

func (c *reel) Name() string { return "reel" }

func (c *reel) Modes(context.Context) ([]camera.Mode, error) {
	if c.unplugged.Load() {
		return nil, camera.ErrNoDevice
	}
	// the second is of no use
	return []camera.Mode{reelMode, {Width: 1920, Height: 1080, Format: 'H' | '2'<<8 | '6'<<16 | '4'<<24}}, nil
}

func (c *reel) Open(context.Context, camera.Mode) (camera.Source, error) {
	if c.unplugged.Load() {
		return nil, camera.ErrNoDevice
	}
	c.opened.Add(1)
	s := &reelSource{c: c, done: make(chan struct{}), data: make([]byte, 2*reelWidth*reelHeight)}
	for i := range s.data {
		s.data[i] = byte(i * i >> 5)
	}
	return s, nil
}

type reelSource struct {
	c    *reel
	done chan struct{}
	data []byte
	seq  uint32
}

func (s *reelSource) Read() (camera.Frame, func(), error) {
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
		Data: s.data, Format: camera.YUYV, Width: reelWidth, Height: reelHeight, Stride: 2 * reelWidth,
		Stamp: time.Now(), Sequence: s.seq, Range: yuv.Full,
	}, func() {}, nil
}

func (s *reelSource) Close() error {
	s.c.closed.Add(1)
	close(s.done)
	return nil
}
