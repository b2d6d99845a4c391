// SPDX-License-Identifier: Apache-2.0

package world

import "errors"

// Errors of this package.
var (
	// ErrWorld: a world that cannot be: malformed, incomplete or out of range.
	ErrWorld = errors.New("world")
	// ErrUnknown: no example world has that name.
	ErrUnknown = errors.New("world: unknown example")
)
