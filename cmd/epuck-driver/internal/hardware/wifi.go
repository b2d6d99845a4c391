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

// OpenWifi returns the function that opens the hardware of a robot over Wi-Fi at an address.
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

// wifiCamera returns the camera of a robot over Wi-Fi, whose lens is not calibrated.
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
