// SPDX-License-Identifier: Apache-2.0

package card

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxFile is the maximum size of an epuck.txt, bytes.
const maxFile = 64 << 10

// errText is matched when a file is not readable text.
var errText = errors.New("not a text file")

// lines splits a file as Windows and Mac editors write it (UTF-8 or UTF-16, with or without a byte order mark, any
// line ending) into its lines.
func lines(data []byte) ([]string, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("%w: it has %d bytes, more than %d", errText, len(data), maxFile)
	}
	if bytes.HasPrefix(data, []byte(`{\rtf`)) {
		return nil, fmt.Errorf("%w: it was saved as rich text (RTF); in TextEdit choose Format, Make Plain Text", errText)
	}
	text, err := decode(data)
	if err != nil {
		return nil, err
	}
	if strings.ContainsRune(text, 0) {
		return nil, fmt.Errorf("%w: it has zero bytes; save it as plain text, UTF-8", errText)
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u0085", "\n").Replace(text)
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), nil
}

// decode returns the file's text; bytes that are not UTF-8 are preserved, so that their line can be reported.
func decode(data []byte) (string, error) {
	if rest, ok := bytes.CutPrefix(data, []byte{0xEF, 0xBB, 0xBF}); ok {
		return string(rest), nil
	}
	little := bytes.HasPrefix(data, []byte{0xFF, 0xFE})
	if !little && !bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return string(data), nil
	}
	data = data[2:]
	if len(data)%2 != 0 {
		return "", fmt.Errorf("%w: UTF-16 with half a character at its end", errText)
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		low, high := data[2*i], data[2*i+1]
		if !little {
			low, high = high, low
		}
		units[i] = uint16(low) | uint16(high)<<8
	}
	return string(utf16.Decode(units)), nil
}

// split parses "key = value". An empty line, or one that begins with #, is blank, not a mistake.
func split(line string) (name, value string, blank, ok bool) {
	line = strings.TrimFunc(line, isSpace)
	if line == "" || strings.HasPrefix(line, "#") {
		return "", "", true, true
	}
	name, value, ok = strings.Cut(line, "=")
	return strings.TrimFunc(name, isSpace), unquote(strings.TrimFunc(value, isSpace)), false, ok
}

// isSpace reports whether a character is white space or one of the invisible characters that editors insert.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b'
}

// unquote removes one pair of quotation marks around a value, also typographic ones.
func unquote(s string) string {
	const opening, closing = "\"'\u201c\u201d\u201e\u2018\u2019\u201a\u00ab", "\"'\u201d\u201c\u2019\u2018\u00bb"
	first, n := utf8.DecodeRuneInString(s)
	last, m := utf8.DecodeLastRuneInString(s)
	if len(s) < n+m || !strings.ContainsRune(opening, first) || !strings.ContainsRune(closing, last) {
		return s
	}
	if (first == '"' || first == '\'') && last != first {
		return s
	}
	return s[n : len(s)-m]
}

// unpairedQuote reports whether a value has a double quotation mark at one of its ends only.
// (Apostrophes occur at the ends of names.)
func unpairedQuote(s string) bool {
	const marks = "\"\u201c\u201d\u201e\u00ab\u00bb"
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && (strings.ContainsRune(marks, first) != strings.ContainsRune(marks, last) || strings.Trim(s, marks) == "" && utf8.RuneCountInString(s) == 1)
}
