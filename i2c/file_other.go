// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package i2c

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// supported returns an error that matches [ErrNoBus] and says what to do: only Linux has device files of I2C buses.
func supported() error {
	return fmt.Errorf("%w: %w", ErrNoBus, system.NeedsLinux("the robot's I2C bus",
		"run the driver on the robot, use a robot over Wi-Fi (epuck-driver run --wifi), or simulate one (epuck-driver sim)"))
}

func openFile(string) (port, error) { return nil, supported() }
