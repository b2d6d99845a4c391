// SPDX-License-Identifier: Apache-2.0

package waitset

import "errors"

// Direction is what a [File] waits for.
type Direction uint8

// The directions, which may be combined.
const (
	Readable Direction = 1 << iota // data, a connection, or the end of the file
	Writable                       // space for data
)

// ErrDirection means that a file was to wait for nothing.
var ErrDirection = errors.New("waitset: neither readable nor writable")
