// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// parseFile reads a whole file. The remarks are about what is outside of its nodes.
func parseFile(file string, text []byte) (*document, []description.Remark, error) {
	if len(text) > maxSize {
		return nil, nil, fault(errBound, file, 1, "%d bytes, %d at most", len(text), maxSize)
	}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return nil, nil, fault(errSyntax, file, 1+bytes.Count(text[:at], []byte("\n")), "a byte that is 0")
	}
	if !utf8.Valid(text) {
		return nil, nil, fault(errSyntax, file, badLine(text), "it is not UTF-8")
	}
	if err := checkRelease(file, text); err != nil {
		return nil, nil, err
	}
	p := &parser{scanner: scanner{file: file, text: text, line: 1}, defs: map[string]*definition{}}
	p.choice.header = p.doc.param
	p.ahead = p.scan()
	for p.err == nil && p.ahead.kind != atEnd {
		p.part()
	}
	if n := len(p.choice.open); n > 0 {
		p.failf(errSyntax, p.choice.open[n-1].line, "template code: an if without its end")
	}
	return &p.doc, p.remarks, p.err
}

// badLine is the first line that is not UTF-8.
func badLine(text []byte) int {
	line := 1
	for l := range bytes.Lines(text) {
		if !utf8.Valid(l) {
			break
		}
		line++
	}
	return line
}

// checkRelease reads the first line: #VRML_SIM R2023b utf8.
func checkRelease(file string, text []byte) error {
	first, _, _ := bytes.Cut(text[:min(len(text), maxName)], []byte("\n"))
	words := strings.Fields(string(first))
	if len(words) < 2 || words[0] != "#VRML_SIM" {
		return fault(errSyntax, file, 1, "the first line is not that of a PROTO or a world: #VRML_SIM R2023b utf8")
	}
	if release := words[1]; len(release) < 6 || release[0] != 'R' || release < "R2022a" {
		return fault(errRelease, file, 1, "%s", release)
	}
	return nil
}

// part reads one thing of a file's top.
func (p *parser) part() {
	first := p.word("a node, PROTO or EXTERNPROTO")
	if first.text == "IMPORTABLE" {
		if first = p.word("EXTERNPROTO"); first.text != "EXTERNPROTO" {
			p.failf(errSyntax, first.line, "after IMPORTABLE: %s in place of EXTERNPROTO", first.describe())
		}
	}
	switch {
	case p.err != nil:
	case first.text == "EXTERNPROTO":
		t := p.next()
		if t.kind != aString {
			p.failf(errSyntax, t.line, "after EXTERNPROTO: %s in place of its address", t.describe())
		}
		p.remarks = append(p.remarks, description.Remark{Line: first.line, Text: "EXTERNPROTO: the file is not read: " + clip(t.text)})
	case first.text == "PROTO":
		p.proto(first)
	case p.doc.proto != "":
		p.failf(errSyntax, first.line, "%s after the PROTO %s", first.describe(), p.doc.proto)
	default:
		p.doc.roots = append(p.doc.roots, p.reference(first))
	}
}

// proto reads a PROTO after its first word: NAME [ fields ] { node }.
func (p *parser) proto(first token) {
	name := p.word("the PROTO's name")
	if p.err == nil && (p.doc.proto != "" || len(p.doc.roots) > 0) {
		p.failf(errSyntax, first.line, "a PROTO %s behind other nodes", name.text)
	}
	p.doc.proto = name.text
	known := map[string]*field{}
	p.want("[", name.text)
	for p.err == nil && !p.ahead.is("]") {
		p.header(known)
	}
	p.want("]", name.text)
	p.want("{", name.text)
	p.params = known
	for p.err == nil && !p.ahead.is("}") {
		p.doc.roots = append(p.doc.roots, p.reference(p.word("the PROTO's node")))
	}
	p.params = nil
	p.want("}", name.text)
	if n := len(p.doc.roots); p.err == nil && n != 1 {
		p.failf(errContent, name.line, "PROTO %s is %d nodes, not 1", name.text, n)
	}
}

// header reads a field of a PROTO's header: field SFString{"1", "2"} version "1".
func (p *parser) header(known map[string]*field) {
	access := p.word("field")
	switch access.text {
	case "field", "vrmlField", "hiddenField", "deprecatedField", "unconnectedField", "w3dField", "exposedField":
	default:
		p.failf(errSyntax, access.line, "%s in place of field", access.describe())
	}
	kind := p.word("a field's type")
	if !strings.HasPrefix(kind.text, "SF") && !strings.HasPrefix(kind.text, "MF") {
		p.failf(errSyntax, kind.line, "%s in place of a field's type", kind.describe())
	}
	if p.ahead.is("{") {
		p.restriction()
	}
	name := p.word("a field's name")
	if old := known[name.text]; p.err == nil && old != nil {
		p.failf(errContent, name.line, "field %s a second time, after line %d", name.text, old.line)
	}
	if p.fields++; p.fields > maxFields {
		p.failf(errBound, name.line, "more than %d fields", maxFields)
	}
	f := &field{name: name.text, line: name.line, val: p.value("field " + name.text)}
	known[name.text] = f
	p.doc.params = append(p.doc.params, f)
}

// restriction goes over what a field's values may be.
func (p *parser) restriction() {
	for depth := 0; p.err == nil; {
		switch t := p.next(); {
		case t.kind == atEnd:
			p.failf(errSyntax, t.line, "the end of the file in a field's type")
		case t.is("{"):
			if depth++; depth > maxDepth {
				p.failf(errBound, t.line, "a field's type: more than %d braces in each other", maxDepth)
			}
		case t.is("}"):
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// clip shortens a string of the file for a remark.
func clip(text string) string {
	if len(text) > maxName {
		return strings.ToValidUTF8(text[:maxName], "") + "…"
	}
	return text
}
