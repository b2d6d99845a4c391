// SPDX-License-Identifier: Apache-2.0

package idl

import (
	"fmt"
	"strings"
)

// declaration parses "type name", "type name default" or "type NAME = value" and adds it to m, with the pending
// comments.
func (p *parser) declaration(m *Message, code string) error {
	typ, typCol, rest, restCol := cutWord(code, 1)
	t, err := parseType(p.pkg, typ)
	if err != nil {
		return p.errorAt(p.line, typCol, err)
	}
	if rest == "" {
		return p.errorAt(p.line, restCol, fmt.Errorf("%w: %s needs a name", ErrSyntax, typ))
	}
	if name, value, ok := cutConstant(rest); ok {
		return p.constant(m, t, name, value, restCol)
	}
	name, nameCol, value, valueCol := cutWord(rest, restCol)
	if err := p.declare(fieldName.MatchString(name), name, nameCol); err != nil {
		return err
	}
	f := Field{Name: name, Type: t, Doc: joinDoc(p.pending), Line: p.line}
	if value != "" {
		if f.Default, err = parseDefault(t, value); err != nil {
			return p.errorAt(p.line, valueCol, err)
		}
	}
	m.Fields = append(m.Fields, f)
	return nil
}

// constant adds "t name = value".
func (p *parser) constant(m *Message, t Type, name, value string, column int) error {
	if err := p.declare(constName.MatchString(name), name, column); err != nil {
		return err
	}
	if t.Container != Single || t.Base == Nested {
		return p.errorAt(p.line, 1, fmt.Errorf("%w: a constant is a single primitive value", ErrType))
	}
	v, err := parseValue(t, value)
	if err != nil {
		return p.errorAt(p.line, column, err)
	}
	m.Constants = append(m.Constants, Constant{Name: name, Base: t.Base, Value: v, Doc: joinDoc(p.pending), Line: p.line})
	return nil
}

// declare checks that a name is valid and new.
func (p *parser) declare(valid bool, name string, column int) error {
	if !valid {
		return p.errorAt(p.line, column, fmt.Errorf("%w: %q", ErrName, name))
	}
	if first, ok := p.names[name]; ok {
		return p.errorAt(p.line, column, fmt.Errorf("%w: %q is already on line %d", ErrName, name, first))
	}
	p.names[name] = p.line
	return nil
}

// cutWord splits s, whose first byte is in the given column, into its first word and the rest, with their columns and
// without surrounding space.
func cutWord(s string, column int) (word string, wordCol int, rest string, restCol int) {
	trimmed := strings.TrimLeft(s, " \t")
	wordCol = column + len(s) - len(trimmed)
	end := strings.IndexAny(trimmed, " \t")
	if end < 0 {
		end = len(trimmed)
	}
	rest = strings.TrimLeft(trimmed[end:], " \t")
	restCol = wordCol + len(trimmed) - len(rest)
	return trimmed[:end], wordCol, strings.TrimRight(rest, " \t"), restCol
}

// cutConstant splits "NAME = value". A declaration with a "=" inside a default ("name \"a=b\"") is not a constant: its
// left side is more than one word.
func cutConstant(s string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(s, "=")
	name = strings.TrimRight(name, " \t")
	if !ok || strings.ContainsAny(name, " \t\"'") {
		return "", "", false
	}
	return name, strings.TrimSpace(value), true
}
