// SPDX-License-Identifier: Apache-2.0

package mediadev

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pion/mediadevices/pkg/driver"
	"github.com/pion/mediadevices/pkg/frame"
	"github.com/pion/mediadevices/pkg/io/video"
	"github.com/pion/mediadevices/pkg/prop"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Driver is a video driver of mediadevices: a result of its driver manager's Query for FilterVideoRecorder, or the
// driver itself.
type Driver interface {
	driver.Adapter
	driver.VideoRecorder
}

// defaultTimeout is the default timeout of Read.
const defaultTimeout = 2 * time.Second

// Device is a driver of mediadevices as a camera. Its methods are safe for concurrent use, but it can be opened only
// once at a time.
type Device struct {
	name    string
	timeout time.Duration
	driver  Driver

	mu   sync.Mutex
	open bool
}

var _ camera.Device = (*Device)(nil)

// New returns the driver as a camera. The name is for users; it defaults to the driver's label. Read fails after
// timeout without a frame; it defaults to defaultTimeout.
func New(d Driver, name string, timeout time.Duration) *Device {
	if info, ok := d.(driver.Driver); ok && name == "" {
		name = info.Info().Label
	}
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	return &Device{name: cmp.Or(name, "mediadevices driver"), timeout: timeout, driver: d}
}

// Name implements [camera.Device].
func (d *Device) Name() string { return d.name }

// Modes implements [camera.Device].
func (d *Device) Modes(ctx context.Context) ([]camera.Mode, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open { // the drivers' state machine permits no second Open, but returns the properties
		return modesOf(d.driver.Properties()), nil
	}
	if err := d.driver.Open(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", camera.ErrNoDevice, d.name, err)
	}
	modes := modesOf(d.driver.Properties())
	return modes, d.driver.Close()
}

// Open implements [camera.Device]. It fails with [camera.ErrBusy] if the device is open already.
func (d *Device) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open {
		return nil, fmt.Errorf("%w: %s is open already", camera.ErrBusy, d.name)
	}
	if err := d.driver.Open(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", camera.ErrNoDevice, d.name, err)
	}
	r, mode, err := d.record(want)
	if err != nil {
		return nil, errors.Join(err, d.driver.Close())
	}
	d.open = true
	return newSource(d.name, r, mode, d.timeout, d.release), nil
}

// record starts the driver in the requested mode.
func (d *Device) record(want camera.Mode) (video.Reader, camera.Mode, error) {
	all := d.driver.Properties()
	best := -1
	for i, m := range all {
		mode := modeOf(m)
		if mode.Width != want.Width || mode.Height != want.Height || mode.Format != want.Format {
			continue
		}
		if best < 0 || nearer(want.FrameRate, mode.FrameRate, modeOf(all[best]).FrameRate) {
			best = i
		}
	}
	if best < 0 {
		return nil, want, &camera.ModeError{Want: want, Have: modesOf(all)}
	}
	m := all[best]
	if m.FrameRate == 0 {
		m.FrameRate = float32(cmp.Or(want.FrameRate, camera.DefaultFrameRate))
	}
	r, err := d.driver.VideoRecord(m)
	if err != nil {
		return nil, want, fmt.Errorf("mediadev: %s: start %v: %w", d.name, modeOf(m), err)
	}
	return r, modeOf(m), nil
}

// nearer reports whether rate a is better than b: the lowest sufficient rate is best, else the highest.
func nearer(want, a, b float64) bool {
	switch {
	case (a >= want) != (b >= want):
		return a >= want
	case a >= want && want > 0:
		return a < b
	default:
		return a > b
	}
}

// release closes the driver after a source has ended.
func (d *Device) release() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = false
	return d.driver.Close()
}

func modesOf(all []prop.Media) []camera.Mode {
	modes := make([]camera.Mode, len(all))
	for i, m := range all {
		modes[i] = modeOf(m)
	}
	return modes
}

// modeOf returns the mode of a driver's images: its decoder converts every YUV format and MJPEG to *image.YCbCr.
func modeOf(m prop.Media) camera.Mode {
	f := camera.YUYV
	switch m.FrameFormat {
	case frame.FormatRGBA:
		f = camera.RGB24
	case frame.FormatZ16, grey:
		f = camera.GREY
	}
	return camera.Mode{Width: m.Width, Height: m.Height, Format: f, FrameRate: float64(m.FrameRate)}
}

// grey is the name under which NewAdapter offers GREY; mediadevices has none.
const grey frame.Format = "GREY"
