// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
	"slices"
)

// Message is a message of a [Type]. It is not safe for concurrent use.
type Message struct {
	typ    *Type
	values []any // by field
}

// New returns a message with the defaults of its type.
func New(t *Type) *Message {
	m := &Message{typ: t, values: make([]any, len(t.Fields))}
	for i := range t.Fields {
		m.values[i] = t.Fields[i].zero()
	}
	return m
}

// zero returns the value of the field in a new message.
func (f *Field) zero() any {
	if f.Default != nil {
		return clone(f.Default)
	}
	switch f.Container {
	case Single:
		return f.zeroElement()
	case Array:
		if f.Kind.octets() {
			return make([]byte, f.Size)
		}
		list := make([]any, f.Size)
		for i := range list {
			list[i] = f.zeroElement()
		}
		return list
	}
	if f.Kind.octets() {
		return []byte{}
	}
	return []any{}
}

func (f *Field) zeroElement() any {
	switch k := f.Kind; {
	case k == Nested:
		return New(f.Type)
	case k == Bool:
		return false
	case k == String:
		return ""
	case k.float():
		return 0.0
	case k.signed():
		return int64(0)
	}
	return uint64(0)
}

// clone copies the lists of a default, so that messages do not share them.
func clone(v any) any {
	switch v := v.(type) {
	case []byte:
		return slices.Clone(v)
	case []any:
		return slices.Clone(v)
	}
	return v
}

// Type returns the type of the message.
func (m *Message) Type() *Type { return m.typ }

// ROSType returns the interface name.
func (m *Message) ROSType() string { return m.typ.Name }

// Get returns the value of a field: bool, int64 for signed and uint64 for unsigned integers and bytes, float64, string
// or *Message; for lists []byte of Uint8 and Byte, []any of the others. ok is false if there is no such field. The
// returned value must not be modified.
func (m *Message) Get(field string) (value any, ok bool) {
	i := m.typ.Index(field)
	if i < 0 {
		return nil, false
	}
	return m.values[i], true
}

// Set sets a field to a value of the Go types that Get returns. An error wraps
// [ErrField] or [ErrValue].
func (m *Message) Set(field string, value any) error {
	i := m.typ.Index(field)
	if i < 0 {
		return fmt.Errorf("%s: %w: %q", m.typ.Name, ErrField, field)
	}
	if err := m.typ.Fields[i].check(value); err != nil {
		return fmt.Errorf("%s.%s: %w", m.typ.Name, field, err)
	}
	m.values[i] = value
	return nil
}

// Field returns the description of a field of the message.
func (m *Message) Field(name string) (*Field, bool) {
	i := m.typ.Index(name)
	if i < 0 {
		return nil, false
	}
	return &m.typ.Fields[i], true
}
