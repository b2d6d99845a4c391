// SPDX-License-Identifier: Apache-2.0

package rclgo

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

var (
	// ErrNotBuiltIn: the program was built without ROS 2.
	ErrNotBuiltIn = errors.New("the transport rclgo is not built into this program: build it where ROS 2 is installed, " +
		"with scripts/rclgo-flags.sh sourced and -tags rclgo (or take Dockerfile.cross, --target rclgo)")
	// ErrConfig: a field of a configuration cannot be used.
	ErrConfig = errors.New("rclgo: bad configuration")
	// ErrRCL: a call of rcl failed. The error's text has rcl's text and return code; [errors.As] finds rclgo's error
	// type if rclgo made the call.
	ErrRCL = errors.New("rcl")
	// ErrType: ROS 2 has no such interface installed. It is a [ros2.ErrNoType].
	ErrType = fmt.Errorf("%w: not installed", ros2.ErrNoType)
)
