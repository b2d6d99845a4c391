// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package hardware

import (
	"fmt"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/wifi/robot"
)

// OpenWifi gives what a driver runs on whose robot is at an address.
func OpenWifi(address string) func(*ros2.Node, *slog.Logger) (Parts, error) {
	return func(_ *ros2.Node, log *slog.Logger) (Parts, error) {
		r, err := robot.New(robot.Config{Address: address, Logger: log})
		if err != nil {
			return Parts{}, frame.Usagef("--wifi: %v", err)
		}
		return Parts{
			robot: r, Optics: wifiCamera(r), Close: r.Close,
		}, nil
	}
}

// wifiCamera is the camera of a robot over Wi-Fi; nothing is known of its lens.
func wifiCamera(r *robot.Robot) Optics {
	return Optics{
		Open: func(device string) (camera.Device, error) {
			if device != "auto" {
				return nil, fmt.Errorf("%w: %q; a robot over Wi-Fi has one camera, \"auto\"", camera.ErrNoDevice, device)
			}
			return r.Camera(), nil
		},
		Encoder: videoEncoder,
	}
}
