// SPDX-License-Identifier: Apache-2.0

package rtps

import "errors"

var (
	// ErrClosed means that the participant, writer or reader is closed.
	ErrClosed = errors.New("rtps: closed")
	// ErrConfig means that a configuration field has an unusable value.
	ErrConfig = errors.New("rtps: bad configuration")
	// ErrTooLarge means that a sample exceeds the largest size a writer may send.
	ErrTooLarge = errors.New("rtps: sample too large")
	// ErrFull means that a keep-all history holds as many unacknowledged samples as it may.
	ErrFull = errors.New("rtps: history full")
	// ErrUnknownReader means that a directed sample names a reader that is not matched.
	ErrUnknownReader = errors.New("rtps: reader not matched")
	// ErrStuck means that a user function had not returned when the participant was closed.
	ErrStuck = errors.New("rtps: user function still at work")
	// ErrLimit means that a local limit (endpoints of the participant) is reached.
	ErrLimit = errors.New("rtps: limit reached")
)
