// SPDX-License-Identifier: Apache-2.0

// Package wire encodes and decodes the protocol between a controller that is linked with Webots' libController and
// the simulator of its robot: handshake, requests of the controller, answers of the simulator. It knows no world and
// opens nothing. The layouts are those of src/controller/c of Webots R2023b and R2025a; all numbers are
// little-endian.
//
// A request has a length, the milliseconds that shall pass, and a part for each device that wants something. An answer
// has messages for devices; over TCP it is cut into chunks, and pictures are chunks of their own.
package wire

import "errors"

// Errors of this package.
var (
	// errSize: a length that can't be.
	errSize = errors.New("webots: bad length")
	// errShort: a request ends before what it says it has.
	errShort = errors.New("webots: ends too early")
	// errCommand: a command that a device doesn't have.
	errCommand = errors.New("webots: unknown command")
	// errHandshake: something else than a controller.
	errHandshake = errors.New("webots: bad handshake")
	// errRelease: a release that isn't known.
	errRelease = errors.New("webots: unknown release")
)
