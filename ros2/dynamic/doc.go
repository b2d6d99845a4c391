// SPDX-License-Identifier: Apache-2.0

// Package dynamic implements ROS messages of types known only at run time, for tools that decode messages from the
// network, show them and build them from text.
//
// A [Type] comes from a definition in the syntax of .msg files ([Resolve]) or from the description of a type by a node
// of ROS 2 Iron or later ([FromDescription]). A [Message] of it encodes and decodes CDR, is written as YAML or
// comma-separated values in the format of ROS's command line, and is filled from YAML.
//
// Lengths from the network are checked before memory is allocated, in messages and in type descriptions.
package dynamic

import "errors"

// Errors for [errors.Is]. They are wrapped with the type and field that caused them.
var (
	// ErrUnknownType: there is no definition of a type of that name.
	ErrUnknownType = errors.New("unknown type")
	// ErrDefinition: a definition or description is invalid.
	ErrDefinition = errors.New("bad type definition")
	// ErrUnsupported: a type contains a field type without a common encoding, such as wstring, or exceeds the limits of
	// this package.
	ErrUnsupported = errors.New("unsupported type")
	// ErrField: a message has no field of that name.
	ErrField = errors.New("no such field")
	// ErrValue: a value does not have its field's type.
	ErrValue = errors.New("bad value")
	// ErrNotMapping: the text for a message is not a YAML mapping.
	ErrNotMapping = errors.New("not a YAML mapping")
)
