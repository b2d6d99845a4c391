// SPDX-License-Identifier: Apache-2.0

package shapes

import "errors"

// Errors of the package.
var (
	// ErrArgument means that the command line is wrong.
	ErrArgument = errors.New("shapes: bad argument")
	// ErrHelp means that the command line asks for help.
	ErrHelp = errors.New("shapes: help asked for")
	// ErrUnsupported means that package rtps does not support an option. The suite looks for its text.
	ErrUnsupported = errors.New("shapes: not supported")
	// ErrEncapsulation means that a payload is encoded in a way that a shape is not.
	ErrEncapsulation = errors.New("shapes: unknown encapsulation")
	// ErrPayload means that a payload is not a shape.
	ErrPayload = errors.New("shapes: malformed payload")
	// ErrFilter means that a content filter can't be read.
	ErrFilter = errors.New("shapes: bad filter")
)
