// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package i2c

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// openFile returns an error that matches [ErrNoBus] and says what to do: only Linux has device files of I2C buses.
func openFile(path string) (port, error) {
	return nil, fmt.Errorf("%w: %w", ErrNoBus, system.NeedsLinux("the I2C bus "+path,
		"run the driver on the robot, use a robot over Wi-Fi (epuck-driver run --wifi), or simulate one (epuck-driver sim)"))
}
