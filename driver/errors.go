// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

// Sentinel errors. Test for them with errors.Is; the errors returned carry the numbers.
var (
	// ErrConfig is matched when a field of a [Config] is missing or impossible.
	ErrConfig = errors.New("driver: bad configuration")
	// errClosed is matched by Run and Step after the driver ran or was closed.
	errClosed = mailbox.ErrClosed
	// errPanic is matched when the control loop or one of its helpers panicked; the wheels were stopped as at every
	// other end.
	errPanic = errors.New("driver: panic")
	// errTransport is matched when the ROS transport can no longer carry messages, so that no command can arrive.
	errTransport = errors.New("driver: ROS transport lost")
	// ErrNoRobot is matched when no robot answers; the error reports what was found and what to do.
	ErrNoRobot = errors.New("driver: no robot")
	// ErrNotStopped is matched when the driver could not confirm at its end that the wheels stand still.
	ErrNotStopped = errors.New("driver: the wheels may still turn")
	// errCommand is matched when a message asks for something the robot can't do.
	errCommand = table.ErrCommand
	// ErrAbsent is matched when a request concerns a part that the robot does not have or that does not answer.
	ErrAbsent = errors.New("driver: part is absent")
	// ErrBusy is matched when a request is made for something that is already running.
	ErrBusy = errors.New("driver: busy")
	// ErrFailed is matched when the robot did not do what was requested.
	ErrFailed = chips.ErrFailed
	// errHelper is matched when a goroutine other than the control loop, such as publishing, hung when the driver
	// ended. The wheels are stopped in this case.
	errHelper = errors.New("driver: a helper of the control loop hangs")
)
