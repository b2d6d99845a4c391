// SPDX-License-Identifier: Apache-2.0

// Package live sends a camera's pictures as live video to a browser: a [camera.Device] becomes a track of
// github.com/pion/mediadevices, the GPU's H.264 encoder its codec, and the track is sent over WebRTC. H.264 needs a
// third of the bandwidth of JPEG pictures.
package live

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Errors of a [Server].
var (
	// errConfig is wrapped when a field of [Config] is missing.
	errConfig = errors.New("live: invalid configuration")
	// errBusy is returned when another viewer uses the camera.
	errBusy = errors.New("live: another viewer uses the live video")
	// errOffer is wrapped when an offer is invalid.
	errOffer = errors.New("live: invalid offer")
)

// Encoder encodes frames as H.264, as [m2m.H264Encoder] does.
type Encoder interface {
	Encode(dst []byte, f *camera.Frame) ([]byte, error)
	ForceKey() error
	SetBitrate(bits int) error
	Close() error
}

// Config is the configuration of a [Server].
type Config struct {
	// Device is the camera. It is required, and opened while there is a viewer.
	Device camera.Device
	// Mode is the size and rate of the video. It defaults to 640×480 YUYV at 15 frames/s. A shared camera that is open
	// already (package shared) keeps its mode.
	Mode camera.Mode
	// Encoder opens the encoder. It is required.
	Encoder func(camera.EncoderConfig) (Encoder, error)
	// Logger logs connections. It defaults to none.
	Logger *slog.Logger
}

// complete returns the configuration with its defaults. The error matches errConfig.
func (cfg Config) complete() (Config, error) {
	if cfg.Device == nil || cfg.Encoder == nil {
		return cfg, fmt.Errorf("%w: Device and Encoder are required", errConfig)
	}
	if cfg.Mode.Width == 0 {
		cfg.Mode = camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return cfg, nil
}
