// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
)

// textStyles returns the YAML styles in which a text keeps its value.
type textStyles struct {
	block, flow bool // without quotes outside and inside of brackets
	single      bool // in single quotes
}

// isBreak reports whether r is a line break in YAML 1.1.
func isBreak(r rune) bool { return r == '\n' || r == '\u0085' || r == '\u2028' || r == '\u2029' }

// isGap reports whether r separates words in YAML: blank, break or the end.
func isGap(r rune) bool { return r == 0 || r == ' ' || r == '\t' || r == '\r' || isBreak(r) }

// isShown reports whether r may occur unescaped in YAML.
func isShown(r rune) bool {
	if r >= 0xa0 && !printable.IsPrintable(r) && !isBreak(r) { // it reverses or hides text; PyYAML shows it
		return false
	}
	return r == '\n' || r >= ' ' && r <= '~' || r == '\u0085' || r >= 0xa0 && r <= 0xd7ff ||
		r >= 0xe000 && r <= 0xfffd && r != '\ufeff' || r >= 0x10000 && r < 0x10ffff
}

// stylesOf returns the styles in which a text may be written: for example, a text that begins or ends with a space
// would lose it without quotes.
func stylesOf(text string) textStyles {
	s := textStyles{block: true, flow: true, single: true}
	if text == "" {
		return textStyles{block: true, single: true}
	}
	if strings.HasPrefix(text, "---") || strings.HasPrefix(text, "...") {
		s.block, s.flow = false, false
	}
	runes := []rune(text)
	var last rune // 0 before the first
	for i, r := range runes {
		next := rune(0)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		s.indicator(r, i == 0, i == 0 || isGap(last), isGap(next))
		edge := i == 0 || i == len(runes)-1
		switch {
		case !isShown(r):
			s = textStyles{}
		case isBreak(r):
			s.block, s.flow = false, false
			if last == ' ' { // the space would be lost
				s.single = false
			}
		case r == ' ':
			if edge {
				s.block, s.flow = false, false
			}
			if isBreak(last) {
				s.block, s.flow, s.single = false, false, false
			}
		}
		last = r
	}
	return s
}

// indicator forbids unquoted text where r would be an indicator of YAML.
func (s *textStyles) indicator(r rune, first, afterGap, beforeGap bool) {
	switch {
	case first && strings.ContainsRune("#,[]{}&*!|>'\"%@`", r), first && r == '-' && beforeGap, r == '#' && afterGap:
		s.block, s.flow = false, false
	case r == ':', first && r == '?':
		s.flow = false
		if beforeGap {
			s.block = false
		}
	case !first && strings.ContainsRune(",?[]{}", r):
		s.flow = false
	}
}

// yamlScalar returns a text in a form that YAML parses as the same string. indent is that of continued lines; flow
// means that it is in brackets.
func yamlScalar(text string, indent int, flow bool) string {
	s := stylesOf(text)
	bare := s.block
	if flow {
		bare = s.flow
	}
	switch {
	case bare && plainKind(text) == scalarString:
		return text
	case s.single:
		return singleQuoted(text, indent)
	}
	return doubleQuoted(text)
}

// singleQuoted doubles quotes and line breaks; the line after them is indented.
func singleQuoted(text string, indent int) string {
	var b strings.Builder
	b.WriteByte('\'')
	var last rune
	for _, r := range text {
		switch {
		case isBreak(r):
			if !isBreak(last) && r == '\n' {
				b.WriteByte('\n')
			}
			b.WriteRune(r)
		default:
			if isBreak(last) {
				b.WriteString(strings.Repeat(" ", indent))
			}
			if r == '\'' {
				b.WriteByte('\'')
			}
			b.WriteRune(r)
		}
		last = r
	}
	if isBreak(last) {
		b.WriteString(strings.Repeat(" ", indent))
	}
	b.WriteByte('\'')
	return b.String()
}

// yamlEscapes are the short forms of escaped characters.
const yamlEscapes = "\x000\x07a\x08b\tt\nn\x0bv\x0cf\rr\x1be\"\"\\\\\u0085N\u00a0_\u2028L\u2029P"

// doubleQuoted quotes a text and escapes what cannot occur unescaped.
func doubleQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	short := []rune(yamlEscapes)
runes:
	for _, r := range text {
		if r >= ' ' && r <= '~' && r != '"' && r != '\\' || r >= 0xa0 && r <= 0xfffd && isShown(r) && !isBreak(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteByte('\\')
		for i := 0; i < len(short); i += 2 {
			if short[i] == r {
				b.WriteRune(short[i+1])
				continue runes
			}
		}
		switch {
		case r <= 0xff:
			fmt.Fprintf(&b, "x%02X", r)
		case r <= 0xffff:
			fmt.Fprintf(&b, "u%04X", r)
		default:
			fmt.Fprintf(&b, "U%08X", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
