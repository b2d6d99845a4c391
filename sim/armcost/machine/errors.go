// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import "errors"

var (
	// ErrStart is returned for a program that does not begin.
	ErrStart = errors.New("machine: the program does not begin")
	// errStuck is returned when a program waits for something that simulated time has no part in.
	errStuck = errors.New("machine: the program stands still outside of simulated time")
	// errFull is returned when a machine has as many programs as it can.
	errFull = errors.New("machine: too many programs")
	// errConfig is returned for a machine whose configuration lacks something.
	errConfig = errors.New("machine: bad configuration")
	// errClosed is returned for what is closed.
	errClosed = errors.New("machine: closed")
)
