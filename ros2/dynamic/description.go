// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
)

// FromDescription returns the type described by a type_description_interfaces/msg/TypeDescription, as nodes of ROS 2
// Iron and later provide them (~/get_type_description). The description is checked, since it comes from the network. An
// error wraps [ErrUnknownType], [ErrDefinition] or [ErrUnsupported].
func FromDescription(d *Message) (*Type, error) {
	if d.typ.Name != "type_description_interfaces/msg/TypeDescription" {
		return nil, fmt.Errorf("%w: %s is not a description", ErrDefinition, d.typ.Name)
	}
	all := map[string][]*Message{}
	main := child(d, "type_description")
	for _, one := range append(children(d, "referenced_type_descriptions"), main) {
		if one == nil {
			return nil, fmt.Errorf("%w: description without a type", ErrDefinition)
		}
		all[text(one, "type_name")] = children(one, "fields")
	}
	b := builder{done: map[string]*Type{}, fields: func(name string) ([]rawField, error) {
		fields, ok := all[name]
		if !ok {
			return nil, fmt.Errorf("%w: %s", ErrUnknownType, name)
		}
		raw := make([]rawField, 0, len(fields))
		for _, f := range fields {
			r, err := describedField(f)
			if err != nil {
				return nil, err
			}
			raw = append(raw, r)
		}
		if len(raw) == 1 && raw[0].Name == emptyMember {
			raw = nil
		}
		return raw, nil
	}}
	return b.build(text(main, "type_name"), 0)
}

// emptyMember is the member in descriptions of messages without fields.
const emptyMember = "structure_needs_at_least_one_member"

// Offsets that type numbers of lists have (REP 2016).
const (
	arrayOffset     = 48
	boundedOffset   = 96
	sequenceOffset  = 144
	boundedStringID = 21
)

// describedField reads a type_description_interfaces/msg/Field.
func describedField(m *Message) (rawField, error) {
	f := rawField{Field: Field{Name: text(m, "name")}, def: text(m, "default_value")}
	t := child(m, "type")
	if t == nil {
		return f, fmt.Errorf("%w: field %q without a type", ErrDefinition, f.Name)
	}
	id := number(t, "type_id")
	switch {
	case id > sequenceOffset:
		f.Container, id = Sequence, id-sequenceOffset
	case id > boundedOffset:
		f.Container, id = Bounded, id-boundedOffset
	case id > arrayOffset:
		f.Container, id = Array, id-arrayOffset
	}
	capacity, bound := number(t, "capacity"), number(t, "string_capacity")
	if capacity > 1<<31-1 || bound > 1<<31-1 || (f.Container == Array || f.Container == Bounded) && capacity == 0 {
		return f, fmt.Errorf("%w: field %q of %d elements", ErrDefinition, f.Name, capacity)
	}
	f.Size = int(capacity)
	switch {
	case id == boundedStringID:
		f.Kind, f.StringBound = String, int(bound)
	case id == uint64(Nested):
		f.Kind, f.nested = Nested, text(t, "nested_type_name")
	case id <= uint64(String) && Kind(id).size() > 0:
		f.Kind = Kind(id)
	default:
		return f, fmt.Errorf("%w: field %q has type number %d", ErrUnsupported, f.Name, id)
	}
	return f, nil
}

// child, children, text and number return the value of a field, zero if it is not
// of that Go type.
func child(m *Message, field string) *Message {
	v, _ := m.Get(field)
	c, _ := v.(*Message)
	return c
}

func children(m *Message, field string) []*Message {
	v, _ := m.Get(field)
	list, _ := v.([]any)
	var out []*Message
	for _, x := range list {
		if c, ok := x.(*Message); ok {
			out = append(out, c)
		}
	}
	return out
}

func text(m *Message, field string) string {
	v, _ := m.Get(field)
	s, _ := v.(string)
	return s
}

func number(m *Message, field string) uint64 {
	v, _ := m.Get(field)
	n, _ := v.(uint64)
	return n
}
