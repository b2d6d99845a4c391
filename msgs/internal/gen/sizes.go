// SPDX-License-Identifier: Apache-2.0

package gen

import "github.com/epuck-ros2/epuck-driver/msgs/internal/idl"

// minSize returns the fewest bytes a message can take on the wire, without
// padding. It bounds how many elements of it fit into the bytes of a sequence.
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

// minElement returns the fewest bytes one element of a field can take.
func (u *unit) minElement(t *idl.Type) int {
	switch t.Base {
	case idl.String:
		return 4 // the length; a peer may leave out the NUL
	case idl.Nested:
		return u.minSize(u.find(t.Ref))
	}
	return t.Base.Bits() / 8
}

// hasDefault tells whether a message's zero value differs from its default:
// a field of it, or of a message in it, has one.
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
