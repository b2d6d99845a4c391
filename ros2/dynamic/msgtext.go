// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
	"strconv"
	"strings"
)

// MsgText returns the type as the text that bags (MCAP's encoding "ros2msg") and viewers hold: its fields as in a .msg
// file, followed by those of every type it refers to, each after a line of 80 "=" and the line "MSG: pkg/Type". Names
// of types have two parts, as in .msg files.
func (t *Type) MsgText() string {
	var b strings.Builder
	t.writeFields(&b)
	for _, r := range t.References() {
		fmt.Fprintf(&b, "%s\nMSG: %s\n", strings.Repeat("=", 80), twoParts(r.Name))
		r.writeFields(&b)
	}
	return b.String()
}

func (t *Type) writeFields(b *strings.Builder) {
	for i := range t.Fields {
		f := &t.Fields[i]
		b.WriteString(f.msgType())
		b.WriteByte(' ')
		b.WriteString(f.Name)
		if f.Default != nil {
			b.WriteByte(' ')
			b.WriteString(f.defaultLiteral())
		}
		b.WriteByte('\n')
	}
}

// defaultLiteral returns the default as .msg files write it: texts in quotes, lists in brackets with commas.
func (f *Field) defaultLiteral() string { return literal(f.Default) }

func literal(v any) string {
	var parts []string
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case []byte:
		for _, x := range v {
			parts = append(parts, strconv.Itoa(int(x)))
		}
	case []any:
		for _, x := range v {
			parts = append(parts, literal(x))
		}
	default:
		return scalarText(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// msgType returns the type of the field as .msg files write it: "string<=10[<=4]".
func (f *Field) msgType() string {
	element := f.Kind.String()
	if f.Kind == Nested {
		element = twoParts(f.Type.Name)
	}
	if f.StringBound > 0 {
		element += fmt.Sprintf("<=%d", f.StringBound)
	}
	switch f.Container {
	case Array:
		return fmt.Sprintf("%s[%d]", element, f.Size)
	case Bounded:
		return fmt.Sprintf("%s[<=%d]", element, f.Size)
	case Sequence:
		return element + "[]"
	}
	return element
}

// twoParts removes the middle part of "std_msgs/msg/Header".
func twoParts(name string) string {
	return strings.Replace(name, "/msg/", "/", 1)
}
