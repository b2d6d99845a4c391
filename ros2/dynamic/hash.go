// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Hash returns the RIHS01 hash of the type (REP 2011), which ROS 2 Iron and later announce with every endpoint: the
// SHA-256 of a JSON text of the type and of all types to which it refers.
func (t *Type) Hash() string {
	var b strings.Builder
	b.WriteString(`{"type_description": `)
	t.writeJSON(&b)
	b.WriteString(`, "referenced_type_descriptions": [`)
	for i, ref := range t.References() {
		if i > 0 {
			b.WriteString(", ")
		}
		ref.writeJSON(&b)
	}
	b.WriteString("]}")
	return fmt.Sprintf("RIHS01_%x", sha256.Sum256([]byte(b.String())))
}

// References returns the types to which t refers, directly or indirectly, sorted by name.
func (t *Type) References() []*Type {
	refs := map[string]*Type{}
	t.collect(refs)
	return slices.SortedFunc(maps.Values(refs), func(a, b *Type) int { return strings.Compare(a.Name, b.Name) })
}

// Members returns the fields as descriptions of types list them: a message without fields has one placeholder.
func (t *Type) Members() []Field {
	if len(t.Fields) == 0 {
		return []Field{{Name: emptyMember, Kind: Uint8}}
	}
	return t.Fields
}

// DefaultText returns the default of the field as descriptions of types have it,
// empty if there is none.
func (f *Field) DefaultText() string {
	if f.Default == nil {
		return ""
	}
	return f.Text(f.Default)
}

// collect adds the types to which t refers, directly or indirectly.
func (t *Type) collect(refs map[string]*Type) {
	for i := range t.Fields {
		if n := t.Fields[i].Type; n != nil && refs[n.Name] == nil {
			refs[n.Name] = n
			n.collect(refs)
		}
	}
}

// writeJSON writes the type in the form that is hashed. Names are checked to be
// plain ASCII when types are made, so quoting needs no escapes.
func (t *Type) writeJSON(b *strings.Builder) {
	fmt.Fprintf(b, `{"type_name": %q, "fields": [`, t.Name)
	fields := t.Members()
	for i := range fields {
		f := &fields[i]
		if i > 0 {
			b.WriteString(", ")
		}
		nested := ""
		if f.Type != nil {
			nested = f.Type.Name
		}
		fmt.Fprintf(b, `{"name": %q, "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": %q}}`,
			f.Name, f.TypeID(), f.Size, f.StringBound, nested)
	}
	b.WriteString("]}")
}

// TypeID returns the number of the field's type in descriptions of types, as in
// type_description_interfaces/msg/FieldType (REP 2016).
func (f *Field) TypeID() int {
	id := int(f.Kind)
	if f.StringBound > 0 {
		id = boundedStringID
	}
	switch f.Container {
	case Array:
		id += arrayOffset
	case Bounded:
		id += boundedOffset
	case Sequence:
		id += sequenceOffset
	}
	return id
}
