// SPDX-License-Identifier: Apache-2.0

package mediadev

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"sync"

	"github.com/pion/mediadevices/pkg/driver"
	"github.com/pion/mediadevices/pkg/frame"
	"github.com/pion/mediadevices/pkg/io/video"
	"github.com/pion/mediadevices/pkg/prop"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Reader returns the source's frames as images: *image.YCbCr (4:2:2) for YUYV, *image.Gray for GREY, *image.RGBA for
// RGB24 and BGR24; JPEG is decoded. An image is a copy, so its release function need not be called; if it is, the
// memory is reused. Damaged frames are skipped, and the end of the source is io.EOF. One goroutine may read.
func Reader(s camera.Source) video.Reader { return &reader{source: s} }

type reader struct {
	source camera.Source

	mu   sync.Mutex
	idle image.Image // released, for reuse
}

// Read implements video.Reader.
func (r *reader) Read() (image.Image, func(), error) {
	for {
		f, release, err := r.source.Read()
		switch {
		case errors.Is(err, camera.ErrFrame):
			continue
		case errors.Is(err, camera.ErrClosed):
			return nil, func() {}, io.EOF
		case err != nil:
			return nil, func() {}, err
		}
		m, err := r.image(&f)
		release()
		if errors.Is(err, camera.ErrFrame) {
			continue
		}
		if err != nil {
			return nil, func() {}, err
		}
		return m, func() { r.keep(m) }, nil
	}
}

func (r *reader) image(f *camera.Frame) (image.Image, error) {
	if f.Format.Compressed() {
		d, err := frame.NewDecoder(frame.FormatMJPEG)
		if err != nil {
			return nil, err
		}
		m, _, err := d.Decode(f.Data, f.Width, f.Height)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", camera.ErrFrame, err)
		}
		return m, nil
	}
	r.mu.Lock()
	old := r.idle
	r.idle = nil
	r.mu.Unlock()
	return unpack(old, f)
}

func (r *reader) keep(m image.Image) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = m
}

// Adapter is a camera as a driver of mediadevices. Register it with mediadevices' driver manager:
//
//	driver.GetManager().Register(mediadev.NewAdapter(device),
//		driver.Info{Label: device.Name(), DeviceType: driver.Camera})
type Adapter struct {
	device camera.Device

	mu     sync.Mutex
	modes  []camera.Mode
	source camera.Source
}

var (
	_ driver.Adapter       = (*Adapter)(nil)
	_ driver.VideoRecorder = (*Adapter)(nil)
)

// NewAdapter returns the camera as a driver.
func NewAdapter(d camera.Device) *Adapter { return &Adapter{device: d} }

// Open reads the camera's modes. It does not start the camera.
func (a *Adapter) Open() error {
	modes, err := a.device.Modes(context.Background())
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.modes = modes
	return nil
}

// Close stops the camera.
func (a *Adapter) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.source
	a.source, a.modes = nil, nil
	if s == nil {
		return nil
	}
	return s.Close()
}

// Properties lists the modes found by Open.
func (a *Adapter) Properties() []prop.Media {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []prop.Media
	for _, m := range a.modes {
		f, ok := frameFormat(m.Format)
		if !ok {
			continue
		}
		all = append(all, prop.Media{Video: prop.Video{
			Width: m.Width, Height: m.Height, FrameRate: float32(m.FrameRate), FrameFormat: f,
		}})
	}
	return all
}

// frameFormat returns mediadevices' name of a pixel format.
func frameFormat(f camera.PixelFormat) (frame.Format, bool) {
	switch f {
	case camera.YUYV:
		return frame.FormatYUYV, true
	case camera.JPEG, camera.MJPEG:
		return frame.FormatMJPEG, true
	case camera.RGB24, camera.BGR24:
		return frame.FormatRGBA, true
	case camera.GREY:
		return grey, true
	default:
		return "", false
	}
}

// VideoRecord starts the camera.
func (a *Adapter) VideoRecord(p prop.Media) (video.Reader, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range a.modes {
		f, ok := frameFormat(m.Format)
		if !ok || m.Width != p.Width || m.Height != p.Height || f != p.FrameFormat {
			continue
		}
		m.FrameRate = float64(p.FrameRate)
		s, err := a.device.Open(context.Background(), m)
		if err != nil {
			return nil, err
		}
		a.source = s
		return Reader(s), nil
	}
	return nil, &camera.ModeError{Want: camera.Mode{Width: p.Width, Height: p.Height, FrameRate: float64(p.FrameRate)}, Have: a.modes}
}
