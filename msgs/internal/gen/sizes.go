// SPDX-License-Identifier: Apache-2.0

package gen

import "github.com/epuck-ros2/epuck-driver/msgs/internal/idl"

// minSize returns the minimum size of a message on the wire without padding, bytes. It bounds the number of elements in
// a sequence.
func (u *unit) minSize(m *idl.Message) int {
	size := 0
	for i := range m.Fields {
		t := &m.Fields[i].Type
		switch t.Container {
		case idl.Single:
			size += u.minElement(t)
		case idl.Array:
			size += t.Size * u.minElement(t)
		default:
			size += 4 // the count
		}
	}
	return max(size, 1) // an empty structure is one byte
}

// minElement returns the minimum size of one element of a field, bytes.
func (u *unit) minElement(t *idl.Type) int {
	switch t.Base {
	case idl.String:
		return 4 // the length; a peer may omit the NUL
	case idl.Nested:
		return u.minSize(u.find(t.Ref))
	}
	return t.Base.Bits() / 8
}

// hasDefault reports whether a message's default differs from its zero value: a field of it, or of a nested message,
// has a default.
func (u *unit) hasDefault(m *idl.Message) bool {
	for i := range m.Fields {
		if u.fieldHasDefault(&m.Fields[i]) {
			return true
		}
	}
	return false
}

func (u *unit) fieldHasDefault(f *idl.Field) bool {
	t := &f.Type
	if t.Base == idl.Nested {
		return (t.Container == idl.Single || t.Container == idl.Array) && u.hasDefault(u.find(t.Ref))
	}
	for _, v := range f.Default {
		if t.Container != idl.Single || v != (idl.Value{}) {
			return true
		}
	}
	return false
}
