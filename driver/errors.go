// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/handover"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

// Sentinel errors. Test for them with errors.Is; the errors returned carry the numbers.
var (
	// ErrConfig is matched when a field of a [Config] is missing or impossible.
	ErrConfig = errors.New("driver: bad configuration")
	// ErrParameter is matched when a parameter has a value the driver can't work with.
	ErrParameter = table.ErrParameter
	// ErrRunning is matched by Run and Step while the driver runs.
	ErrRunning = handover.ErrRunning
	// ErrClosed is matched by Run and Step after the driver ran or was closed.
	ErrClosed = handover.ErrClosed
	// ErrPanic is matched when the control loop or one of its helpers panicked; the wheels were stopped then as on
	// every other end.
	ErrPanic = errors.New("driver: panic")
	// ErrTransport is matched when the ROS transport can no longer carry messages, and so no command can come.
	ErrTransport = errors.New("driver: ROS transport lost")
	// ErrNoRobot is matched when no robot answers; the error says what was found and what to do.
	ErrNoRobot = errors.New("driver: no robot")
	// ErrNotStopped is matched when the wheels could not be shown to stand when the driver ended.
	ErrNotStopped = errors.New("driver: the wheels may still turn")
	// ErrCommand is matched when a message asks for something the robot can't do.
	ErrCommand = table.ErrCommand
	// ErrSlow is matched when a part of the robot takes more of the bus's time than it may.
	ErrSlow = parts.ErrSlow
	// ErrAbsent is matched when something is asked of a part that the robot does not have, or that does not answer.
	ErrAbsent = errors.New("driver: part is absent")
	// ErrBusy is matched when something is asked for that goes on already.
	ErrBusy = errors.New("driver: busy")
	// ErrFailed is matched when the robot was asked for something and did not do it.
	ErrFailed = chips.ErrFailed
	// ErrHelper is matched when something beside the control loop, such as publishing, hung when the driver ended. The
	// wheels stand then.
	ErrHelper = errors.New("driver: a helper of the control loop hangs")
)
