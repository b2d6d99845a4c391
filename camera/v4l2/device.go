// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Config configures a [Device]. The zero value is the robot's camera with the defaults.
type Config struct {
	// Device is the name of the camera; see the package documentation. It defaults to "auto".
	Device string
	// Buffers is the number of the driver's buffers, 3 to 32. It defaults to 6: four that readers may hold and two that
	// are filled meanwhile. The driver may allocate another number.
	Buffers int
	// Timeout is the maximum time without a frame before Read fails. It defaults to 2 s.
	Timeout time.Duration
	// Logger logs at level debug when a camera is opened and closed. It defaults to none.
	Logger *slog.Logger
}

// Defaults and limits of Config.
const (
	defaultBuffers = 6
	defaultTimeout = 2 * time.Second
	minBuffers     = 3
	maxBuffers     = 32 // the kernel's VIDEO_MAX_FRAME
)

// Device is a camera of this machine. It is searched each time it is opened, so it may return under another number. Its
// methods are safe for concurrent use.
type Device struct {
	cfg Config
	sys system

	mu   sync.Mutex
	last Info // found last
}

var _ camera.Device = (*Device)(nil)

// New returns the camera of that name, without looking for it.
func New(cfg Config) *Device { return newDevice(cfg, machine()) }

func newDevice(cfg Config, sys system) *Device {
	cfg.Device = cmp.Or(cfg.Device, auto)
	cfg.Buffers = min(max(cmp.Or(cfg.Buffers, defaultBuffers), minBuffers), maxBuffers)
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Device{cfg: cfg, sys: sys}
}

// Name returns the configured name or, once the camera was found, its device file and card: `/dev/video0 (uvcvideo
// "Pi-puck Camera Interface")`.
func (d *Device) Name() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last.Path == "" {
		return d.cfg.Device
	}
	return d.last.String()
}

// Modes lists the camera's modes. It does not start the camera, and works while another program uses it.
func (d *Device) Modes(ctx context.Context) ([]camera.Mode, error) {
	info, n, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	all, err := modes(n)
	if cerr := n.close(); err == nil {
		err = cerr
	}
	return all, during("list its modes", info.Path, err)
}

// Open finds the camera and starts it, at the lowest frame rate that is at least the requested one, else at the
// highest. The source also has the methods Mode() camera.Mode, Info() [Info] and Stats() [Stats].
func (d *Device) Open(ctx context.Context, want camera.Mode) (camera.Source, error) {
	info, n, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	s, err := start(n, d.sys, d.cfg, info, want)
	if err != nil {
		return nil, errors.Join(err, n.close())
	}
	d.cfg.Logger.Debug("camera opened", "device", info.String(), "mode", s.mode.String(), "buffers", len(s.slots))
	return s, nil
}

// open finds the camera and opens its device file.
func (d *Device) open(ctx context.Context) (Info, node, error) {
	if err := ctx.Err(); err != nil {
		return Info{}, nil, err
	}
	info, err := find(d.sys, d.cfg.Device)
	if err != nil {
		return Info{}, nil, err
	}
	d.mu.Lock()
	d.last = info
	d.mu.Unlock()
	n, err := d.sys.open(info.Path)
	if err != nil { // it disappeared, or its permissions changed, since it was found
		return info, nil, &noDeviceError{Want: d.cfg.Device, Have: []Info{info}, Err: err}
	}
	return info, n, nil
}

// start sets the mode, maps the buffers, queues them and starts the stream. After an error only the device file is left
// open.
func start(n node, sys system, cfg Config, info Info, want camera.Mode) (*source, error) {
	mode, err := choose(n, want)
	if err != nil {
		return nil, during("list its modes", info.Path, err)
	}
	l, mode, err := configure(n, mode)
	if err != nil {
		return nil, during(fmt.Sprintf("set %v", mode), info.Path, err)
	}
	s := newSource(n, sys, cfg, info, mode, l)
	if err := s.allocate(cfg.Buffers); err != nil {
		return nil, errors.Join(during("allocate buffers", info.Path, err), s.free())
	}
	if err := n.stream(true); err != nil {
		return nil, errors.Join(during("start", info.Path, err), s.free())
	}
	return s, nil
}
