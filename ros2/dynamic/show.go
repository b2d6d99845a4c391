// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Format configures how much of a message is shown.
type Format struct {
	// Truncate is the number of elements and characters after which lists and
	// strings are cut with "..."; a negative number cuts nothing.
	Truncate int
	// NoArrays and NoStrings show the length of lists and strings instead.
	NoArrays, NoStrings bool
	// Flow writes lists in one line. YAML only.
	Flow bool
}

// Full returns the format that shows everything.
func Full() Format { return Format{Truncate: -1} }

// show returns the message as a tree for [WriteYAML].
func (f Format) show(m *Message) Map {
	entries := make(Map, len(m.typ.Fields))
	for i := range m.typ.Fields {
		field := &m.typ.Fields[i]
		entries[i].Key = field.Name
		if f.NoArrays && field.Container != Single {
			entries[i].Value = field.summary(m.values[i])
			continue
		}
		entries[i].Value = f.value(field, m.values[i])
	}
	return entries
}

func (f Format) value(field *Field, v any) any {
	switch v := v.(type) {
	case []byte:
		n, cut := f.cut(len(v))
		list := make([]any, 0, n+1)
		for _, x := range v[:n] {
			list = append(list, f.value(field, uint64(x)))
		}
		return f.ended(list, cut)
	case []any:
		n, cut := f.cut(len(v))
		list := make([]any, 0, n+1)
		for _, x := range v[:n] {
			list = append(list, f.value(field, x))
		}
		return f.ended(list, cut)
	case *Message:
		return f.show(v)
	case string:
		return f.text(v)
	case uint64:
		if field.Kind == Byte { // shown as the character with that number
			return string(rune(v))
		}
	}
	return v
}

// cut returns how many of n elements are shown, and whether some are not.
func (f Format) cut(n int) (shown int, cut bool) {
	if f.Truncate >= 0 && n > f.Truncate {
		return f.Truncate, true
	}
	return n, false
}

func (f Format) ended(list []any, cut bool) []any {
	if cut {
		list = append(list, "...")
	}
	return list
}

// text shows a string; lengths are in characters.
func (f Format) text(s string) string {
	if f.NoStrings {
		return fmt.Sprintf("<string length: <%d>>", utf8.RuneCountInString(s))
	}
	if n, cut := f.cut(utf8.RuneCountInString(s)); cut {
		return string([]rune(s)[:n]) + "..."
	}
	return s
}

// summary shows the type and length of a list. Types have their IDL names.
func (f *Field) summary(v any) string {
	n := 0
	switch v := v.(type) {
	case []byte:
		n = len(v)
	case []any:
		n = len(v)
	}
	name := f.Kind.String()
	switch f.Kind {
	case Nested:
		name = f.Type.Name
	case Float32:
		name = "float"
	case Float64:
		name = "double"
	case Bool:
		name = "boolean"
	case Byte:
		name = "octet"
	}
	switch f.Container {
	case Array:
		return fmt.Sprintf("<array type: %s[%d]>", name, f.Size)
	case Bounded:
		return fmt.Sprintf("<sequence type: %s[%d], length: %d>", name, f.Size, n)
	}
	return fmt.Sprintf("<sequence type: %s, length: %d>", name, n)
}

// CSV returns the values of the message in one line, separated by commas.
func (m *Message) CSV(f Format) string {
	var b strings.Builder
	for i := range m.typ.Fields {
		field := &m.typ.Fields[i]
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if f.NoArrays && field.Container != Single {
			b.WriteString(field.summary(m.values[i]))
			continue
		}
		b.WriteString(f.csv(field, m.values[i]))
	}
	return b.String()
}

func (f Format) csv(field *Field, v any) string {
	switch v := v.(type) {
	case []byte:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = uint64(x)
		}
		return f.csvList(field, list)
	case []any:
		return f.csvList(field, v)
	case *Message:
		return v.CSV(f)
	case string:
		return f.text(v)
	case uint64:
		if field.Kind == Byte {
			return PythonBytes([]byte{byte(v)})
		}
	}
	return scalarText(v)
}

func (f Format) csvList(field *Field, list []any) string {
	var b strings.Builder
	for i, x := range list {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if f.Truncate >= 0 && i >= f.Truncate {
			b.WriteString("...")
			break
		}
		b.WriteString(f.csv(field, x))
	}
	return b.String()
}
