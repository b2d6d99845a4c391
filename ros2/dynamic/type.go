// SPDX-License-Identifier: Apache-2.0

package dynamic

import "slices"

// Field is one field of a [Type].
type Field struct {
	Name      string
	Kind      Kind
	Container Container
	// Size is the length of an Array and the bound of a Bounded sequence.
	Size int
	// StringBound is the greatest length of a string in bytes; 0 is any.
	StringBound int
	// Type is the type of a Nested field.
	Type *Type
	// Default is the value in a new message, nil for zero; see [Message.Get]
	// for the Go types.
	Default any
}

// Type describes messages. It is immutable and may be shared.
type Type struct {
	// Name is the interface name, as in "nav_msgs/msg/Odometry".
	Name   string
	Fields []Field
	// size is the fewest bytes that a message of the type takes encoded,
	// without padding.
	size int
}

// Index returns the position of a field, −1 if there is none of that name.
func (t *Type) Index(field string) int {
	return slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == field })
}

// elementSize is the fewest bytes that a value of the field takes.
func (f *Field) elementSize() int {
	if f.Kind == Nested {
		return f.Type.size
	}
	return f.Kind.size()
}

// minSize is the fewest bytes that the field takes. Sizes are limited when types
// are made, so nothing overflows.
func (f *Field) minSize() int {
	switch f.Container {
	case Array:
		return f.Size * f.elementSize()
	case Bounded, Sequence:
		return 4
	}
	return f.elementSize()
}

// maxSize is the largest message, in bytes without its sequences and strings, that
// a type may have. It bounds what a type from the network makes us allocate.
const maxSize = 1 << 22

// maxDepth is how deep messages may lie in messages.
const maxDepth = 64
