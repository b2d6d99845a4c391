// SPDX-License-Identifier: Apache-2.0

package dynamic

import "errors"

// Errors that callers may tell apart with [errors.Is]. They come wrapped, with the
// type and field that caused them.
var (
	// ErrUnknownType: there is no definition of a type of that name.
	ErrUnknownType = errors.New("unknown type")
	// ErrDefinition: a definition or description breaks the rules of types.
	ErrDefinition = errors.New("bad type definition")
	// ErrUnsupported: a type holds something that has no common encoding, such
	// as wstring, or is beyond the limits of this package.
	ErrUnsupported = errors.New("unsupported type")
	// ErrField: a message has no field of that name.
	ErrField = errors.New("no such field")
	// ErrValue: a value is none of its field's type.
	ErrValue = errors.New("bad value")
	// ErrNotMapping: the text for a message is not a YAML mapping.
	ErrNotMapping = errors.New("not a YAML mapping")
)
