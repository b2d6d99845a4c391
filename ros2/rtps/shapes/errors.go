// SPDX-License-Identifier: Apache-2.0

package shapes

import "errors"

// Errors of the package.
var (
	// errArgument means that the command line is wrong.
	errArgument = errors.New("shapes: bad argument")
	// ErrHelp means that the command line requests help.
	ErrHelp = errors.New("shapes: help requested")
	// errUnsupported means that package rtps does not support an option. The suite looks for its text.
	errUnsupported = errors.New("shapes: not supported")
	// errEncapsulation means that a payload has an encapsulation that is not used for shapes.
	errEncapsulation = errors.New("shapes: unknown encapsulation")
	// errPayload means that a payload is not a shape.
	errPayload = errors.New("shapes: malformed payload")
	// errFilter means that a content filter cannot be parsed.
	errFilter = errors.New("shapes: bad filter")
)
