// SPDX-License-Identifier: Apache-2.0

package dynamic

import "github.com/epuck-ros2/epuck-driver/msgs/cdr"

// Decode decodes a message of type t from data, CDR with its encapsulation header. An error is a [*cdr.DecodeError].
func Decode(t *Type, data []byte) (*Message, error) {
	m := &Message{typ: t, values: make([]any, len(t.Fields))}
	if err := cdr.Unmarshal(data, m); err != nil {
		return nil, err
	}
	return m, nil
}

// DecodeCDR overwrites every field from d.
func (m *Message) DecodeCDR(d *cdr.Decoder) {
	if len(m.typ.Fields) == 0 {
		d.Field(m.typ.Name)
		d.Uint8()
		return
	}
	for i := range m.typ.Fields {
		f := &m.typ.Fields[i]
		d.Field(m.typ.Name + "." + f.Name)
		m.values[i] = f.decode(d)
	}
}

// decode decodes the field. After an error of d it returns an arbitrary value of the right Go type.
func (f *Field) decode(d *cdr.Decoder) any {
	n := 0
	switch f.Container {
	case Single:
		return f.decodeElement(d)
	case Array:
		if n = f.Size; d.Err() != nil || f.minSize() > d.Remaining() {
			d.Uint8s(make([]byte, d.Remaining()+1)) // makes d report that the data is too short
			n = 0
		}
	case Bounded:
		n = d.SeqLen(f.elementSize(), f.Size)
	case Sequence:
		n = d.SeqLen(f.elementSize(), cdr.Unbounded)
	}
	if f.Kind.octets() {
		list := make([]byte, n)
		d.Uint8s(list)
		return list
	}
	list := make([]any, n)
	for i := range list {
		if d.Err() != nil {
			return list[:0]
		}
		list[i] = f.decodeElement(d)
	}
	return list
}

func (f *Field) decodeElement(d *cdr.Decoder) any {
	switch f.Kind {
	case Nested:
		m := &Message{typ: f.Type, values: make([]any, len(f.Type.Fields))}
		m.DecodeCDR(d)
		return m
	case Bool:
		return d.Bool()
	case String:
		return d.StringOf("", f.StringBound)
	case Int8:
		return int64(d.Int8())
	case Int16:
		return int64(d.Int16())
	case Int32:
		return int64(d.Int32())
	case Int64:
		return d.Int64()
	case Uint16:
		return uint64(d.Uint16())
	case Uint32:
		return uint64(d.Uint32())
	case Uint64:
		return d.Uint64()
	case Float32:
		return float64(d.Float32())
	case Float64:
		return d.Float64()
	}
	return uint64(d.Uint8())
}
