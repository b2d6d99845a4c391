// SPDX-License-Identifier: Apache-2.0

package gen

import "github.com/epuck-ros2/epuck-driver/msgs/internal/idl"

// encoder appends the method EncodeCDR.
func (u *unit) encoder(m *idl.Message, name string) {
	u.printf("// EncodeCDR appends the fields to e.\n")
	u.printf("func (m *%s) EncodeCDR(e *cdr.Encoder) {\n", name)
	for i := range m.Fields {
		u.encodeField(m, &m.Fields[i])
	}
	if len(m.Fields) == 0 {
		u.printf("e.Uint8(0) // CDR has no empty structures\n")
	}
	u.printf("}\n\n")
}

// encodeField appends the encoding of one field.
func (u *unit) encodeField(m *idl.Message, f *idl.Field) {
	t, field := &f.Type, "m."+goFieldName(f.Name)
	full := m.FullName() + "." + f.Name
	if t.Container == idl.BoundedSeq {
		u.printf("e.CheckBound(%q, len(%s), %d)\n", full, field, t.Size)
	}
	if t.Container == idl.BoundedSeq || t.Container == idl.UnboundedSeq {
		u.printf("e.SeqLen(len(%s))\n", field)
	}
	switch {
	case t.Container == idl.Single:
		u.encodeElement(t, field, full)
	case t.Base == idl.Nested || t.StringBound > 0:
		u.printf("for i := range %s {\n", field)
		u.encodeElement(t, field+"[i]", full)
		u.printf("}\n")
	case t.Container == idl.Array:
		u.printf("e.%ss(%s[:])\n", codecName(t.Base), field)
	default:
		u.printf("e.%ss(%s)\n", codecName(t.Base), field)
	}
}

// encodeElement appends the encoding of a single value.
func (u *unit) encodeElement(t *idl.Type, value, full string) {
	if t.Base == idl.Nested {
		u.printf("%s.EncodeCDR(e)\n", value)
		return
	}
	if t.StringBound > 0 {
		u.printf("e.CheckBound(%q, len(%s), %d)\n", full, value, t.StringBound)
	}
	u.printf("e.%s(%s)\n", codecName(t.Base), value)
}

// decoder appends the method DecodeCDR.
func (u *unit) decoder(m *idl.Message, name string) {
	u.printf("// DecodeCDR overwrites every field from d.\n")
	u.printf("func (m *%s) DecodeCDR(d *cdr.Decoder) {\n", name)
	for i := range m.Fields {
		u.decodeField(m, &m.Fields[i])
	}
	if len(m.Fields) == 0 {
		u.printf("d.Field(%q)\nd.Uint8()\n", m.FullName())
	}
	u.printf("}\n\n")
}

// decodeField appends the decoding of one field.
func (u *unit) decodeField(m *idl.Message, f *idl.Field) {
	t, field := &f.Type, "m."+goFieldName(f.Name)
	if t.Base != idl.Nested || t.Container == idl.BoundedSeq || t.Container == idl.UnboundedSeq {
		u.printf("d.Field(%q)\n", m.FullName()+"."+f.Name)
	}
	switch {
	case t.Base == idl.Nested:
		u.decodeNested(t, field)
	case t.Base == idl.String:
		u.decodeStrings(t, field)
	case t.Container == idl.Single:
		u.printf("%s = d.%s()\n", field, codecName(t.Base))
	case t.Container == idl.Array:
		u.printf("d.%ss(%s[:])\n", codecName(t.Base), field)
	default:
		u.printf("%s = d.%sSeq(%s, %s)\n", field, codecName(t.Base), field, bound(t.Size))
	}
}

func (u *unit) decodeStrings(t *idl.Type, field string) {
	switch t.Container {
	case idl.Single:
		u.printf("%s = d.StringOf(%s, %s)\n", field, field, bound(t.StringBound))
	case idl.Array:
		u.printf("d.Strings(%s[:], %s)\n", field, bound(t.StringBound))
	default:
		u.printf("%s = d.StringSeq(%s, %s, %s)\n", field, field, bound(t.Size), bound(t.StringBound))
	}
}

func (u *unit) decodeNested(t *idl.Type, field string) {
	switch t.Container {
	case idl.Single:
		u.printf("%s.DecodeCDR(d)\n", field)
		return
	case idl.BoundedSeq, idl.UnboundedSeq:
		u.printf("%s = cdr.Resize(%s, d.SeqLen(%d, %s))\n", field, field, u.minElement(t), bound(t.Size))
	}
	u.printf("for i := range %s {\n%s[i].DecodeCDR(d)\n}\n", field, field)
}

// bound returns a bound as Go source.
func bound(n int) string {
	if n == 0 {
		return "cdr.Unbounded"
	}
	return goLiteral(idl.Uint32, idl.Value{Uint: uint64(n)})
}
