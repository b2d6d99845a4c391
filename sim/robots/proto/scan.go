// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"math"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// tokenKind says what a piece of the text is.
type tokenKind int

const (
	atEnd tokenKind = iota
	aWord
	aNumber
	aString
	aMark // one of { } [ ]
)

// token is a piece of the text.
type token struct {
	kind   tokenKind
	text   string
	number float64
	line   int
}

// is reports whether a token is a word or a mark.
func (t token) is(text string) bool { return (t.kind == aWord || t.kind == aMark) && t.text == text }

// scanner cuts a text into tokens. After its first error it stays at the end.
type scanner struct {
	file     string
	text     []byte
	at, line int
	err      error
	remarks  []description.Remark // of template code that decides nothing
	choice   choice
}

// failf ends the scan with an error, the first one alone.
func (s *scanner) failf(kind error, line int, format string, args ...any) {
	if s.err == nil {
		s.err = fault(kind, s.file, line, format, args...)
	}
	s.at = len(s.text)
}

// scan gives the next token.
func (s *scanner) scan() token {
	s.skip()
	t := token{line: s.line}
	if s.err != nil || s.at >= len(s.text) {
		return t
	}
	switch c := s.text[s.at]; {
	case strings.IndexByte("{}[]", c) >= 0:
		s.at++
		t.kind, t.text = aMark, string(c)
	case c == '"':
		t.kind = aString
		t.text = s.quoted()
	case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.':
		t.kind = aNumber
		t.number = s.number()
	default:
		t.kind = aWord
		if t.text = s.run(); t.text == "" {
			s.failf(errSyntax, s.line, "%q has no place here", c)
		}
	}
	if s.err != nil {
		return token{line: t.line}
	}
	return t
}

// skip goes over space, commas, comments and template code. Templates are run before comments are known, so code in a
// comment counts.
func (s *scanner) skip() {
	comment := false
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '%' && s.template():
			continue
		case c == '\n':
			s.line++
			comment = false
		case comment, c == ' ', c == '\t', c == '\r', c == ',':
		case c == '#':
			comment = true
		default:
			return
		}
		s.at++
	}
}

// run reads up to the next byte that no name may have.
func (s *scanner) run() string {
	from := s.at
	for s.at < len(s.text) && s.text[s.at] > ' ' && strings.IndexByte(`{}[]",#'\%`, s.text[s.at]) < 0 {
		s.at++
	}
	if s.at-from > maxName {
		s.failf(errBound, s.line, "a name of %d bytes, %d at most", s.at-from, maxName)
		return ""
	}
	return string(s.text[from:s.at])
}

// number reads a number.
func (s *scanner) number() float64 {
	text := s.run()
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case s.err != nil:
	case math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) > maxNumber:
		s.failf(errBound, s.line, "%s: numbers go to %g", text, maxNumber)
	case err != nil:
		s.failf(errSyntax, s.line, "%q is no number", text)
	}
	return v
}

// quoted reads a string, of which \" and \\ are a character each.
func (s *scanner) quoted() string {
	from := s.line
	var out []byte
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return string(out)
		case c == '%' && s.at+1 < len(s.text) && (s.text[s.at+1] == '<' || s.text[s.at+1] == '{'):
			s.failf(errTemplate, s.line, "in a string")
			return ""
		case c == '\n':
			s.line++
		case c == '\\' && s.at+1 < len(s.text) && (s.text[s.at+1] == '"' || s.text[s.at+1] == '\\'):
			s.at++
		}
		if out = append(out, s.text[s.at]); len(out) > maxString {
			s.failf(errBound, from, "a string of more than %d bytes", maxString)
			return ""
		}
	}
	s.failf(errSyntax, from, "a string without an end")
	return ""
}
