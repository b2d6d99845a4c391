// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ROS's command line is a Python program and shows some values in Python's format. These functions produce the same
// format, so that scripts can parse both.

// pyFloat writes a number as Python does: the fewest digits that read back, with an
// exponent below 1e-4 and from 1e16.
func pyFloat(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

func pyBool(v bool) string {
	if v {
		return "True"
	}
	return "False"
}

// pyString writes a string literal: in single quotes, unless it holds one and no
// double quote.
func pyString(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteByte(quote)
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			fmt.Fprintf(&b, `\x%02x`, s[i]) // not UTF-8
			continue
		}
		writePyRune(&b, r, quote, unicode.IsPrint(r))
	}
	b.WriteByte(quote)
	return b.String()
}

// writePyRune writes a character of a literal, escaped unless bare allows it.
func writePyRune(b *strings.Builder, r rune, quote byte, bare bool) {
	switch {
	case r == rune(quote) || r == '\\':
		b.WriteByte('\\')
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case bare:
		b.WriteRune(r)
	case r <= 0xff:
		fmt.Fprintf(b, `\x%02x`, r)
	case r <= 0xffff:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}

// PythonBytes writes octets as a Python literal, as in b'\x00A'.
func PythonBytes(data []byte) string {
	quote := byte('\'')
	if strings.Contains(string(data), "'") && !strings.Contains(string(data), `"`) {
		quote = '"'
	}
	var b strings.Builder
	b.WriteByte('b')
	b.WriteByte(quote)
	for _, c := range data {
		writePyRune(&b, rune(c), quote, c >= ' ' && c <= '~')
	}
	b.WriteByte(quote)
	return b.String()
}

// Python writes the message as Python shows it:
// std_msgs.msg.String(data='hi').
func (m *Message) Python() string {
	var b strings.Builder
	m.writePython(&b)
	return b.String()
}

func (m *Message) writePython(b *strings.Builder) {
	b.WriteString(strings.ReplaceAll(m.typ.Name, "/", "."))
	b.WriteByte('(')
	for i := range m.typ.Fields {
		f := &m.typ.Fields[i]
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.Name)
		b.WriteByte('=')
		if f.Container == Array && f.numeric() {
			writeNumpy(b, f, m.values[i], true)
			continue
		}
		f.writePython(b, m.values[i])
	}
	b.WriteByte(')')
}

// numeric reports whether Python stores lists of the field in an array of numbers.
func (f *Field) numeric() bool { return f.Kind.signed() || f.Kind.unsigned() || f.Kind.float() }

// writePython writes a value, lists in brackets.
func (f *Field) writePython(b *strings.Builder, v any) {
	switch v := v.(type) {
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			f.writePython(b, x)
		}
		b.WriteByte(']')
	case []byte:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			f.writePython(b, uint64(x))
		}
		b.WriteByte(']')
	case *Message:
		v.writePython(b)
	case string:
		b.WriteString(pyString(v))
	case uint64:
		if f.Kind == Byte {
			b.WriteString(PythonBytes([]byte{byte(v)}))
			return
		}
		b.WriteString(strconv.FormatUint(v, 10))
	default:
		b.WriteString(scalarText(v))
	}
}

// scalarText writes numbers and booleans as Python's str does.
func scalarText(v any) string {
	switch v := v.(type) {
	case bool:
		return pyBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return pyFloat(v)
	case string:
		return v
	}
	return fmt.Sprint(v)
}

// Text writes a value of the field alone, as Python prints it: numbers and texts as
// they are, lists in the forms of their containers.
func (f *Field) Text(v any) string {
	var b strings.Builder
	switch x := v.(type) {
	case []byte, []any:
		if f.Container == Array && f.numeric() {
			writeNumpy(&b, f, v, false)
			return b.String()
		}
		if code := f.arrayCode(); code != "" {
			fmt.Fprintf(&b, "array('%s'", code)
			if listLength(v) > 0 {
				b.WriteString(", ")
				f.writePython(&b, v)
			}
			b.WriteByte(')')
			return b.String()
		}
	case string:
		return x
	}
	f.writePython(&b, v)
	return b.String()
}

// arrayCode is the letter that Python's arrays have for the kind, empty if lists of
// it are plain lists.
func (f *Field) arrayCode() string {
	codes := map[Kind]string{
		Int8: "b", Uint8: "B", Int16: "h", Uint16: "H", Int32: "i", Uint32: "I", Int64: "q", Uint64: "Q", Float32: "f", Float64: "d",
	}
	return codes[f.Kind]
}

func listLength(v any) int {
	switch v := v.(type) {
	case []byte:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

// PythonType returns Python's name of a value's type: a message's short name, "float", "numpy.ndarray", which for lists
// depends on the field.
func PythonType(f *Field, v any) string {
	switch v := v.(type) {
	case *Message:
		return shortName(v.typ.Name)
	case bool:
		return "bool"
	case string:
		return "str"
	case float64:
		return "float"
	case []any, []byte:
		switch {
		case f.Container == Array && f.numeric():
			return "numpy.ndarray"
		case f.arrayCode() != "":
			return "array.array"
		}
		return "list"
	}
	if f != nil && f.Kind == Byte {
		return "bytes"
	}
	return "int"
}
