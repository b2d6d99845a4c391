// SPDX-License-Identifier: Apache-2.0

package machine

import "errors"

var (
	// ErrStart is returned for a program that does not begin.
	ErrStart = errors.New("machine: the program does not begin")
	// ErrStuck is returned when a program waits for something that simulated time has no part in.
	ErrStuck = errors.New("machine: the program stands still outside of simulated time")
	// ErrFull is returned when a machine has as many programs as it can.
	ErrFull = errors.New("machine: too many programs")
	// ErrConfig is returned for a machine whose configuration lacks something.
	ErrConfig = errors.New("machine: bad configuration")
	// ErrClosed is returned for what is closed.
	ErrClosed = errors.New("machine: closed")
)
