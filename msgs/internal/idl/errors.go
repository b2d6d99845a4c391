// SPDX-License-Identifier: Apache-2.0

package idl

import (
	"errors"
	"fmt"
)

// Errors of the parser. They arrive as a [*Error], which says where.
var (
	// ErrSyntax reports a line that is neither field nor constant, or a malformed part of one.
	ErrSyntax = errors.New("syntax error")
	// ErrName reports a name that ROS 2 does not allow, or that is used twice.
	ErrName = errors.New("bad name")
	// ErrType reports a type that does not exist or is not supported.
	ErrType = errors.New("bad type")
	// ErrValue reports a constant or default that does not fit its type.
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
