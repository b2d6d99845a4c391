// SPDX-License-Identifier: Apache-2.0

// Package printable escapes text that comes from other programs before it is printed or logged. Names, types and
// strings on a network can hold control sequences that clear a terminal, write its clipboard or reverse the order of
// letters; here they become visible escapes, as in Go's string literals: \x1b, \u202e. JSON that is escaped keeps its
// meaning.
package printable

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s with every control character escaped but line feeds and tabs: those of C0, DEL, C1, the format
// characters of Unicode (which reverse or hide text), its separators of lines and paragraphs, and bytes that are not
// UTF-8.
func Text(s string) string { return escape(s, true) }

// Line is [Text] for what must stay in one line: line feeds and tabs are escaped, too.
func Line(s string) string { return escape(s, false) }

// IsPrintable reports whether r is neither a control nor a format character nor a separator of lines.
func IsPrintable(r rune) bool {
	switch {
	case r < ' ':
		return false
	case r < 0x7f:
		return true
	case r <= 0x9f:
		return false
	}
	return !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// escape returns s itself, without a copy, if nothing in it has to be escaped.
func escape(s string, lines bool) string {
	var out []byte // nil while s is unchanged
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		valid := r != utf8.RuneError || size > 1
		if valid && (IsPrintable(r) || lines && (r == '\n' || r == '\t')) {
			if out != nil {
				out = append(out, s[i:i+size]...)
			}
			i += size
			continue
		}
		if out == nil {
			out = append(make([]byte, 0, len(s)+16), s[:i]...)
		}
		out = appendEscape(out, r, s[i], valid)
		i += size
	}
	if out == nil {
		return s
	}
	return string(out)
}

// appendEscape appends the escape of a rune, or of a byte that is not UTF-8.
func appendEscape(out []byte, r rune, b byte, valid bool) []byte {
	switch {
	case !valid, r < ' ' && r != '\n' && r != '\r' && r != '\t': // JSON holds neither
		return fmt.Appendf(out, `\x%02x`, b)
	case r == '\n':
		return append(out, `\n`...)
	case r == '\r':
		return append(out, `\r`...)
	case r == '\t':
		return append(out, `\t`...)
	case r <= 0xffff:
		return fmt.Appendf(out, `\u%04x`, r)
	}
	high, low := utf16.EncodeRune(r) // as JSON writes it, which has no \U
	return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
}

// Fprintf is [fmt.Fprintf] with the whole output escaped as [Text] does it.
func Fprintf(w io.Writer, format string, args ...any) {
	_, _ = io.WriteString(w, Text(fmt.Sprintf(format, args...))) // as with a terminal that is gone
}

// Writer escapes what is written as [Text] does it. A character must not be split between two writes.
type Writer struct{ w io.Writer }

// NewWriter returns a writer that escapes for w.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// Unwrap returns the writer below w if w is a [Writer], else w: for control sequences of the program itself.
func Unwrap(w io.Writer) io.Writer {
	if e, ok := w.(*Writer); ok {
		return e.w
	}
	return w
}

// Write writes p, escaped. The count is that of p's bytes.
func (w *Writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.w, Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
