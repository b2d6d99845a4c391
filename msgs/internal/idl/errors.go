// SPDX-License-Identifier: Apache-2.0

package idl

import (
	"errors"
	"fmt"
)

// Errors of the parser. They are wrapped in a [*Error] with the position.
var (
	// ErrSyntax means that a line is neither a field nor a constant, or that a part of it is malformed.
	ErrSyntax = errors.New("syntax error")
	// ErrName means that a name is invalid in ROS 2, or used twice.
	ErrName = errors.New("bad name")
	// ErrType means that a type does not exist or is not supported.
	ErrType = errors.New("bad type")
	// ErrValue means that a constant or default is not a value of its type.
	ErrValue = errors.New("bad value")
)

// Error is a parsing error with its position.
type Error struct {
	File   string // as given to the parser
	Line   int    // from 1
	Column int    // from 1, in bytes
	Err    error  // one of the sentinels, wrapped with the cause
}

// Error has the form "file:line:column: cause".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
