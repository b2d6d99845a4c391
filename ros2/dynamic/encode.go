// SPDX-License-Identifier: Apache-2.0

package dynamic

import "github.com/epuck-ros2/epuck-driver/msgs/cdr"

// EncodeCDR appends the fields to e.
func (m *Message) EncodeCDR(e *cdr.Encoder) {
	if len(m.typ.Fields) == 0 {
		e.Uint8(0) // CDR has no empty structures
		return
	}
	for i := range m.typ.Fields {
		m.typ.Fields[i].encode(e, m.typ, m.values[i])
	}
}

// encode appends a value that was checked when it was set, or that was decoded.
func (f *Field) encode(e *cdr.Encoder, owner *Type, v any) {
	if f.Container == Single {
		f.encodeElement(e, v)
		return
	}
	octets, isOctets := v.([]byte)
	list, _ := v.([]any)
	n := len(octets) + len(list)
	if f.Container == Bounded {
		e.CheckBound(owner.Name+"."+f.Name, n, f.Size)
	}
	if f.Container != Array {
		e.SeqLen(n)
	}
	if isOctets {
		e.Uint8s(octets)
		return
	}
	for _, x := range list {
		f.encodeElement(e, x)
	}
}

func (f *Field) encodeElement(e *cdr.Encoder, v any) {
	switch v := v.(type) {
	case *Message:
		v.EncodeCDR(e)
	case bool:
		e.Bool(v)
	case string:
		e.String(v)
	case float64:
		if f.Kind == Float32 {
			e.Float32(float32(v))
		} else {
			e.Float64(v)
		}
	case int64:
		encodeInteger(e, f.Kind, uint64(v))
	case uint64:
		encodeInteger(e, f.Kind, v)
	}
}

// encodeInteger appends as many of the low bytes as the kind has.
func encodeInteger(e *cdr.Encoder, k Kind, v uint64) {
	switch k.size() {
	case 1:
		e.Uint8(uint8(v))
	case 2:
		e.Uint16(uint16(v))
	case 4:
		e.Uint32(uint32(v))
	default:
		e.Uint64(v)
	}
}
