// SPDX-License-Identifier: Apache-2.0

// Package wire is the bytes between a controller that is linked with Webots' libController and what simulates its
// robot: greeting, requests of the controller, answers of the simulator. It knows no world and opens nothing. The
// layouts are those of src/controller/c of Webots R2023b and R2025a; all numbers are little-endian.
//
// A request has a length, the milliseconds that shall pass, and a part for each device that wants something. An answer
// has messages for devices; over TCP it is cut into chunks, and pictures are chunks of their own.
package wire

import "errors"

// Errors of this package.
var (
	// ErrSize: a length that can't be.
	ErrSize = errors.New("webots: bad length")
	// ErrShort: a request ends before what it says it has.
	ErrShort = errors.New("webots: ends too early")
	// ErrCommand: a command that a device doesn't have.
	ErrCommand = errors.New("webots: unknown command")
	// ErrGreeting: something else than a controller.
	ErrGreeting = errors.New("webots: bad greeting")
	// ErrRelease: a release that isn't known.
	ErrRelease = errors.New("webots: unknown release")
)
