// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package hardware

import (
	"fmt"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// robotCamera returns a camera that cannot be opened: only Linux has Video4Linux.
func robotCamera(*slog.Logger) Optics {
	return Optics{
		Open: func(device string) (camera.Device, error) {
			return nil, fmt.Errorf("%w: %q: %w", camera.ErrNoDevice, device, system.NeedsLinux("a camera of this machine",
				"run the driver on the robot, or use a robot over Wi-Fi (epuck-driver run --wifi)"))
		},
		Encoder: videoEncoder,
	}
}

// videoEncoder returns an error: the Raspberry Pi's H.264 encoder is a Linux device.
func videoEncoder(camera.EncoderConfig) (live.Encoder, error) {
	return nil, system.NeedsLinux("encoding live video", "the page shows single pictures")
}
