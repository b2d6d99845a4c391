// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"errors"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ErrNoWifi is the error of the program for a Pi Zero, which is on its robot.
var ErrNoWifi = errors.New("this program, for ARMv6, is for the Raspberry Pi on the robot: --wifi is in the programs for PCs " +
	"(amd64, arm64)")

// OpenWifi returns a function that returns ErrNoWifi.
func OpenWifi(string) func(*ros2.Node, *slog.Logger) (Parts, error) {
	return func(*ros2.Node, *slog.Logger) (Parts, error) { return Parts{}, ErrNoWifi }
}
