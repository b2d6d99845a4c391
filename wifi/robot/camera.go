// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	// maxFrameRate is the maximum rate of requested pictures, 1/s: each takes the radio about a tenth of a second.
	maxFrameRate = 8.0
	// pictureTime is the time-out for a picture.
	pictureTime = 2 * time.Second
)

// Camera returns the robot's camera. Pictures are requested one by one while it is open; in between, sensors arrive
// at the usual rate.
func (r *Robot) Camera() camera.Device { return cameraDevice{r} }

type cameraDevice struct{ robot *Robot }

// mode is the only mode.
var mode = camera.Mode{Width: packet.PictureWidth, Height: packet.PictureHeight, Format: camera.RGB24, FrameRate: maxFrameRate}

// Name implements camera.Device.
func (c cameraDevice) Name() string { return "wifi:" + c.robot.cfg.Address + " (e-puck2 over Wi-Fi)" }

// Modes implements camera.Device.
func (c cameraDevice) Modes(ctx context.Context) ([]camera.Mode, error) {
	if err := c.there(ctx); err != nil {
		return nil, err
	}
	return []camera.Mode{mode}, nil
}

func (c cameraDevice) there(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := c.robot
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.up {
		return fmt.Errorf("%w: %w", camera.ErrNoDevice, r.trouble(r.cfg.Now()))
	}
	return nil
}

// Open implements camera.Device.
func (c cameraDevice) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	if err := c.there(ctx); err != nil {
		return nil, err
	}
	other := func(v, have int) bool { return v != 0 && v != have }
	if other(want.Width, mode.Width) || other(want.Height, mode.Height) || want.Format != 0 && want.Format != mode.Format {
		return nil, &camera.ModeError{Want: want, Have: []camera.Mode{mode}}
	}
	rate := maxFrameRate
	if want.FrameRate > 0 {
		rate = min(rate, want.FrameRate)
	}
	s := &source{robot: c.robot, every: time.Duration(float64(time.Second) / rate), end: make(chan struct{}), pictures: make(chan []byte, 1)}
	r := c.robot
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shutter != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), syscall.EBUSY)
	}
	r.shutter = s.pictures
	return s, nil
}

// picture passes a picture to the waiting reader.
func (r *Robot) picture(p []byte) {
	r.mu.Lock()
	to := r.shutter
	r.mu.Unlock()
	if to == nil {
		return
	}
	select {
	case to <- append([]byte(nil), p...):
	default: // the previous one was not read
	}
}

// source is the camera while it is open.
type source struct {
	robot    *Robot
	every    time.Duration
	next     time.Time
	number   uint32
	pictures chan []byte
	once     sync.Once
	end      chan struct{}
}

// Read implements camera.Source.
func (s *source) Read() (camera.Frame, func(), error) {
	if !s.sleep(time.Until(s.next)) {
		return camera.Frame{}, nil, camera.ErrClosed
	}
	s.next = time.Now().Add(s.every)
	r := s.robot
	r.mu.Lock()
	r.shoot(func(c *packet.Command) { c.Request |= packet.RequestPicture })
	up := r.up
	r.mu.Unlock()
	if !up {
		return camera.Frame{}, nil, fmt.Errorf("%w: the link is lost", camera.ErrUnplugged)
	}
	r.nudge()
	timer := time.NewTimer(pictureTime)
	defer timer.Stop()
	select {
	case p := <-s.pictures:
		s.number++
		return camera.Frame{
			Data: colours(p), Format: mode.Format, Width: mode.Width, Height: mode.Height, Stride: 3 * mode.Width,
			Stamp: time.Now(), Sequence: s.number,
		}, func() {}, nil
	case <-timer.C:
		return camera.Frame{}, nil, camera.ErrTimeout
	case <-s.end:
		return camera.Frame{}, nil, camera.ErrClosed
	}
}

// sleep reports whether the camera is still open afterwards.
func (s *source) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.end:
		return false
	}
	select {
	case <-s.end:
		return false
	default:
		return true
	}
}

// Close implements camera.Source.
func (s *source) Close() error {
	s.once.Do(func() {
		close(s.end)
		s.robot.mu.Lock()
		s.robot.shutter = nil
		s.robot.mu.Unlock()
	})
	return nil
}

// colours converts two bytes per pixel to three.
func colours(p []byte) []byte {
	out := make([]byte, 0, len(p)/2*3)
	for i := 0; i+1 < len(p); i += 2 {
		r, g, b := packet.RGB888(p[i], p[i+1])
		out = append(out, r, g, b)
	}
	return out
}
