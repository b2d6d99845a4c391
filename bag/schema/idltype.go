// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
)

// typeOf reads a type.
func (p *idlParser) typeOf() idlType {
	t := idlType{scope: slices.Clone(p.scope)}
	switch p.tok {
	case "sequence":
		p.next()
		p.expect("<")
		if p.tok == "sequence" {
			p.fail("a list of lists, which ROS does not have")
			return t
		}
		t = p.typeOf()
		t.suffix = "[]"
		if p.tok == "," {
			p.next()
			t.suffix = "[<=" + p.number() + "]"
		}
		p.expect(">")
		return t
	case "string", "wstring":
		t.name = p.tok
		p.next()
		if p.tok == "<" {
			p.next()
			t.bound = "<=" + p.number()
			p.expect(">")
		}
		return t
	case "unsigned":
		p.next()
		t.name = "u" + p.integer()
		return t
	case "long", "short":
		if t.name = p.integer(); t.name == "double" {
			p.fail("long double has no type in ROS")
		}
		return t
	}
	t.name = p.scoped()
	if word := primitive(t.name); word != "" {
		t.name = word
	}
	return t
}

// integer reads "short", "long" or "long long".
func (p *idlParser) integer() string {
	switch word := p.word(); word {
	case "short":
		return "int16"
	case "long":
		switch p.tok {
		case "long":
			p.next()
			return "int64"
		case "double":
			p.next()
			return "double"
		}
		return "int32"
	default:
		p.fail("want short or long, not %.40q", word)
	}
	return ""
}

// primitive returns the word of .msg files of a basic type.
func primitive(name string) string {
	switch name {
	case "float":
		return "float32"
	case "double":
		return "float64"
	case "boolean":
		return "bool"
	case "octet":
		return "byte"
	case "char":
		return "char"
	case "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64":
		return name
	}
	return ""
}

// number reads a number or the name of a constant.
func (p *idlParser) number() string {
	if p.kind == scanner.Int {
		n := p.tok
		p.next()
		return n
	}
	name := p.scoped()
	value, ok := p.constants[p.path(name)]
	if !ok {
		value, ok = p.constants[name]
	}
	if _, err := strconv.Atoi(value); !ok || err != nil {
		p.fail("%.40q is no number", name)
	}
	return value
}

// arrays reads the sizes behind a name, as in "[3][2]": a list of lists is one of all elements, as CDR has it.
func (p *idlParser) arrays() string {
	size := 0
	for p.tok == "[" && p.err == nil {
		p.next()
		n, _ := strconv.Atoi(p.number())
		p.expect("]")
		if n < 1 || n > maxElements/max(size, 1) {
			p.fail("an array of %d × %d elements, the limit is %d", max(size, 1), n, maxElements)
			return ""
		}
		size = max(size, 1) * n
	}
	if size == 0 {
		return ""
	}
	return "[" + strconv.Itoa(size) + "]"
}

// finish resolves the names and adds the structures to the definitions.
func (p *idlParser) finish() error {
	for _, path := range slices.Sorted(maps.Keys(p.structs)) {
		var text strings.Builder
		for _, f := range p.structs[path] {
			if f.field == "structure_needs_at_least_one_member" {
				continue
			}
			name, err := p.resolve(f.idlType, 0)
			if err != nil {
				return fmt.Errorf("%w: %s.%s: %w", ErrSyntax, path, f.field, err)
			}
			text.WriteString(name + " " + f.field)
			if f.value != "" && !strings.Contains(f.value, "::") {
				text.WriteString(" " + f.value)
			}
			text.WriteByte('\n')
			if p.size+text.Len() > maxFields {
				return fmt.Errorf("%w: %s.%s: fields of %d bytes, the limit is %d", ErrSyntax, path, f.field, p.size+text.Len(), maxFields)
			}
		}
		p.size += text.Len()
		p.defs[strings.ReplaceAll(path, "::", "/")] = text.String()
	}
	return nil
}

// resolve returns a type as [dynamic.Resolve] reads it.
func (p *idlParser) resolve(t idlType, depth int) (string, error) {
	if t.name == "string" || t.name == "wstring" || isWord(t.name) {
		return listOf(t.name+t.bound, t.suffix)
	}
	key := strings.Join(t.scope, "::") + " " + t.name
	element, known := p.resolved[key]
	if !known {
		var err error
		if element, err = p.find(t, depth); err != nil {
			return "", err
		}
		p.resolved[key] = element
	}
	return listOf(element, t.suffix)
}

// find searches the scopes for a name, the innermost first, and returns what it names.
func (p *idlParser) find(t idlType, depth int) (string, error) {
	if depth > maxScope {
		return "", fmt.Errorf("type definitions are nested more than %d deep", maxScope)
	}
	for n := len(t.scope); n >= 0; n-- {
		path := strings.Join(append(slices.Clone(t.scope[:n]), t.name), "::")
		if alias, ok := p.types[path]; ok {
			return p.resolve(alias, depth+1)
		}
		if _, ok := p.structs[path]; ok {
			return strings.ReplaceAll(path, "::", "/"), nil
		}
		if p.enums[path] {
			return "uint32", nil
		}
	}
	return strings.ReplaceAll(t.name, "::", "/"), nil
}

// isWord reports whether a name is a basic type of .msg files.
func isWord(name string) bool {
	switch name {
	case "bool", "byte", "char", "float32", "float64":
		return true
	}
	return primitive(name) == name
}

// listOf adds a list to an element. Lists of lists, other than arrays of arrays, are not possible in ROS.
func listOf(element, suffix string) (string, error) {
	if suffix == "" {
		return element, nil
	}
	if strings.HasSuffix(element, "]") || strings.Count(suffix, "[") > 1 {
		inner, outer := arraySize(element), arraySize(suffix)
		if inner > 0 && outer > maxElements/inner {
			return "", fmt.Errorf("an array of %d × %d elements, the limit is %d", inner, outer, maxElements)
		}
		if inner > 0 && outer > 0 && strings.Count(suffix, "[") == 1 {
			return element[:strings.LastIndexByte(element, '[')] + "[" + strconv.Itoa(inner*outer) + "]", nil
		}
		return "", fmt.Errorf("a list of lists (%s%s), which ROS does not have", element, suffix)
	}
	return element + suffix, nil
}

// arraySize returns the size of a text that ends as in "[3]"; 0 otherwise.
func arraySize(text string) int {
	i := strings.LastIndexByte(text, '[')
	if i < 0 {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSuffix(text[i+1:], "]"))
	if err != nil {
		return 0
	}
	return n
}
