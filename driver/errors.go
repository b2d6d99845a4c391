// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/driver/devices"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

// Sentinel errors. Test for them with errors.Is; the errors returned carry the numbers.
var (
	// ErrConfig is matched when a field of a [Config] is missing or invalid.
	ErrConfig = hardware.ErrConfig
	// errClosed is matched by Run and Step after the driver ran or was closed.
	errClosed = mailbox.ErrClosed
	// errPanic is wrapped when the control loop or one of its helpers panicked; the wheels were stopped.
	errPanic = errors.New("driver: panic")
	// errTransport is wrapped when the ROS transport has failed, so that no command can arrive.
	errTransport = errors.New("driver: ROS transport lost")
	// ErrNoRobot is matched when no robot answers; the error reports what was found and what to do.
	ErrNoRobot = errors.New("driver: no robot")
	// ErrNotStopped is matched when the driver could not confirm at its end that the wheels are stopped.
	ErrNotStopped = errors.New("driver: the wheels may still turn")
	// errCommand is wrapped when the robot can't execute a command.
	errCommand = table.ErrCommand
	// ErrAbsent is matched when a request concerns a part that is absent or does not answer.
	ErrAbsent = errors.New("driver: part is absent")
	// ErrBusy is matched when the requested action is already running.
	ErrBusy = errors.New("driver: busy")
	// ErrFailed is matched when the robot did not do what was requested.
	ErrFailed = devices.ErrFailed
	// errHelper is matched when a goroutine other than the control loop, such as publishing, hung when the driver
	// ended. The wheels are stopped in this case.
	errHelper = errors.New("driver: a helper of the control loop hangs")
)
