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
	// size is the minimum encoded size of a message of the type without padding, bytes.
	size int
}

// Index returns the index of a field, or −1.
func (t *Type) Index(field string) int {
	return slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == field })
}

// elementSize returns the minimum encoded size of a value of the field, bytes.
func (f *Field) elementSize() int {
	if f.Kind == Nested {
		return f.Type.size
	}
	return f.Kind.size()
}

// minSize returns the minimum encoded size of the field, bytes. Sizes are limited when types are created, so nothing
// overflows.
func (f *Field) minSize() int {
	switch f.Container {
	case Array:
		return f.Size * f.elementSize()
	case Bounded, Sequence:
		return 4
	}
	return f.elementSize()
}

// maxSize is the largest message, in bytes without its sequences and strings, that a type may have. It bounds the
// memory allocated for a type from the network.
const maxSize = 1 << 22

// maxDepth bounds the nesting of messages.
const maxDepth = 64

// Kind is the kind of a field, or of each of its elements. The numbers are those of
// type_description_interfaces/msg/FieldType (REP 2016).
type Kind uint8

// Kinds of values. A char of a .msg file is a Uint8.
const (
	Nested  Kind = 1
	Int8    Kind = 2
	Uint8   Kind = 3
	Int16   Kind = 4
	Uint16  Kind = 5
	Int32   Kind = 6
	Uint32  Kind = 7
	Int64   Kind = 8
	Uint64  Kind = 9
	Float32 Kind = 10
	Float64 Kind = 11
	Bool    Kind = 15
	Byte    Kind = 16
	String  Kind = 17
)

// kindNames maps the words of .msg files.
func kindByName(name string) (Kind, bool) {
	switch name {
	case "char", "uint8":
		return Uint8, true
	case "byte":
		return Byte, true
	case "float32":
		return Float32, true
	case "float64":
		return Float64, true
	case "bool":
		return Bool, true
	case "string":
		return String, true
	}
	for k := Int8; k <= Uint64; k++ {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// String returns the word of .msg files, "nested" for messages.
func (k Kind) String() string {
	names := [...]string{
		Nested: "nested", Int8: "int8", Uint8: "uint8", Int16: "int16", Uint16: "uint16", Int32: "int32",
		Uint32: "uint32", Int64: "int64", Uint64: "uint64", Float32: "float32", Float64: "float64",
		Bool: "bool", Byte: "byte", String: "string",
	}
	if int(k) < len(names) && names[k] != "" {
		return names[k]
	}
	return "unknown"
}

// size returns the size of an encoded value in bytes, the minimum for a string; 0 for nested values and invalid kinds.
func (k Kind) size() int {
	switch k {
	case Int8, Uint8, Bool, Byte:
		return 1
	case Int16, Uint16:
		return 2
	case Int32, Uint32, Float32, String:
		return 4
	case Int64, Uint64, Float64:
		return 8
	}
	return 0
}

// signed reports whether the kind is a signed integer, unsigned an unsigned one.
func (k Kind) signed() bool   { return k == Int8 || k == Int16 || k == Int32 || k == Int64 }
func (k Kind) unsigned() bool { return k == Uint8 || k == Uint16 || k == Uint32 || k == Uint64 }
func (k Kind) float() bool    { return k == Float32 || k == Float64 }

// octets reports whether lists of the kind are stored as []byte.
func (k Kind) octets() bool { return k == Uint8 || k == Byte }

// Container is the container of a field's values.
type Container uint8

// Containers of fields.
const (
	Single   Container = iota // one value
	Array                     // exactly Size values
	Bounded                   // at most Size values
	Sequence                  // any number
)
