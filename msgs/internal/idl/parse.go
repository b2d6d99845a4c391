// SPDX-License-Identifier: Apache-2.0

package idl

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	packageName = regexp.MustCompile(`^[a-z](_?[a-z0-9])*$`)
	typeName    = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	fieldName   = regexp.MustCompile(`^[a-z](_?[a-z0-9])*$`)
	constName   = regexp.MustCompile(`^[A-Z](_?[A-Z0-9])*$`)
)

// ParseMessage parses the text of pkg/msg/name.msg. The file is named in errors only.
func ParseMessage(file, pkg, name, text string) (*Message, error) {
	p := newParser(file, pkg)
	if err := p.check(name, text); err != nil {
		return nil, err
	}
	return p.message("msg", name, strings.Split(text, "\n"))
}

// ParseService parses the text of pkg/srv/name.srv. The file is named in errors only.
func ParseService(file, pkg, name, text string) (*Service, error) {
	p := newParser(file, pkg)
	if err := p.check(name, text); err != nil {
		return nil, err
	}
	m, err := p.parts("srv", text, "a service needs a line --- between request and response", name+"_Request", name+"_Response")
	if err != nil {
		return nil, err
	}
	s := &Service{Package: pkg, Kind: "srv", Name: name, Doc: m[0].Doc, Request: *m[0], Response: *m[1]}
	s.Request.Doc = ""
	return s, nil
}

// parts parses a text with a message for each name, separated by lines ---.
func (p *parser) parts(kind, text, lacks string, names ...string) ([]*Message, error) {
	lines := strings.Split(text, "\n")
	var cuts []int
	for i, l := range lines {
		if strings.TrimSpace(l) != "---" {
			continue
		}
		if len(cuts) == len(names)-1 {
			return nil, p.errorAt(i+1, 1, fmt.Errorf("%w: a %s --- (the last is on line %d)",
				ErrSyntax, ordinal(len(cuts)+1), cuts[len(cuts)-1]+1))
		}
		cuts = append(cuts, i)
	}
	if len(cuts) < len(names)-1 {
		return nil, p.errorAt(len(lines), 1, fmt.Errorf("%w: %s", ErrSyntax, lacks))
	}
	cuts = append(cuts, len(lines))
	parts := make([]*Message, len(names))
	for i, start := 0, 0; i < len(names); i++ {
		p.line = start
		m, err := p.message(kind, names[i], lines[start:cuts[i]])
		if err != nil {
			return nil, err
		}
		parts[i], start = m, cuts[i]+1
	}
	return parts, nil
}

// ordinal returns "second" or "third".
func ordinal(n int) string {
	if n == 2 {
		return "second"
	}
	return "third"
}

// parser is the state of the parser: the position and the pending comments.
type parser struct {
	file string
	pkg  string
	line int // of the last line read, from 1

	pending []string       // comment lines not yet assigned
	names   map[string]int // lines of the names of the current message
}

func newParser(file, pkg string) *parser { return &parser{file: file, pkg: pkg} }

func (p *parser) errorAt(line, column int, err error) error {
	return &Error{File: p.file, Line: line, Column: column, Err: err}
}

// check checks the package, the file's name and the characters of the text.
func (p *parser) check(name, text string) error {
	if !packageName.MatchString(p.pkg) {
		return p.errorAt(1, 1, fmt.Errorf("%w: package %q", ErrName, p.pkg))
	}
	if !typeName.MatchString(name) {
		return p.errorAt(1, 1, fmt.Errorf("%w: type %q", ErrName, name))
	}
	for i, line := range strings.Split(text, "\n") {
		at := strings.IndexFunc(strings.TrimSuffix(line, "\r"), func(r rune) bool {
			return r == utf8.RuneError || r == '\uFEFF' || unicode.IsControl(r) && r != '\t'
		})
		if at >= 0 {
			return p.errorAt(i+1, at+1, fmt.Errorf("%w: a character that is not UTF-8 text", ErrSyntax))
		}
	}
	return nil
}

// message parses the lines of one message, which begin after p.line.
func (p *parser) message(kind, name string, lines []string) (*Message, error) {
	m := &Message{Package: p.pkg, Kind: kind, Name: name}
	p.pending, p.names = nil, map[string]int{}
	for _, raw := range lines {
		p.line++
		code, comment, hasComment := cutComment(strings.TrimSuffix(raw, "\r"))
		switch {
		case strings.TrimSpace(code) != "":
			if hasComment {
				p.pending = append(p.pending, comment)
			}
			if err := p.declaration(m, code); err != nil {
				return nil, err
			}
			p.pending = nil
		case hasComment:
			p.pending = append(p.pending, comment)
		default:
			p.detach(m)
		}
	}
	p.detach(m)
	return m, nil
}

// detach ends a block of comments at a blank line: the first block before any declaration describes the message.
func (p *parser) detach(m *Message) {
	if m.Doc == "" && len(m.Fields) == 0 && len(m.Constants) == 0 {
		m.Doc = joinDoc(p.pending)
	}
	p.pending = nil
}

// cutComment splits a line at the first # outside of quotes.
func cutComment(line string) (code, comment string, found bool) {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#':
			return line[:i], strings.TrimSpace(strings.TrimLeft(line[i:], "#")), true
		}
	}
	return line, "", false
}

// joinDoc joins comment lines into one text, without empty lines at its ends.
func joinDoc(lines []string) string {
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
