// SPDX-License-Identifier: Apache-2.0

package proto

// parser makes nodes of tokens.
type parser struct {
	scanner
	ahead  token // the next one
	doc    document
	params map[string]*field // nil outside of a PROTO's body
	defs   map[string]*definition

	depth, nodes, fields int
}

// definition is what a name stands for.
type definition struct {
	node *node
	open bool // its closing brace has not come
}

// next returns a token and advances to the next one.
func (p *parser) next() token {
	t := p.ahead
	p.ahead = p.scan()
	return t
}

// want goes over a mark or a word that has to be there.
func (p *parser) want(text, after string) {
	if t := p.next(); !t.is(text) {
		p.failf(errSyntax, t.line, "after %s: %s in place of %q", after, t.describe(), text)
	}
}

// word gives a word that has to be there.
func (p *parser) word(what string) token {
	t := p.next()
	if t.kind != aWord {
		p.failf(errSyntax, t.line, "%s in place of %s", t.describe(), what)
	}
	return t
}

// describe is a token in an error.
func (t token) describe() string {
	switch t.kind {
	case atEnd:
		return "the end of the file"
	case aNumber:
		return "a number"
	case aString:
		return "a string"
	default:
		return `"` + t.text + `"`
	}
}

// reference reads a node: DEF NAME Kind { … }, Kind { … } or USE NAME. Its first word was read.
func (p *parser) reference(first token) ref {
	switch first.text {
	case "USE":
		name := p.word("a name after USE")
		d := p.defs[name.text]
		switch {
		case p.err != nil:
		case d == nil:
			p.failf(errContent, name.line, "USE %s: no DEF of this name comes before it", name.text)
		case d.open:
			p.failf(errContent, name.line, "USE %s within itself: its DEF is in line %d", name.text, d.node.line)
		default:
			return ref{d.node, true}
		}
		return ref{}
	case "DEF":
		name := p.word("a name after DEF")
		d := &definition{node: &node{}, open: true}
		p.defs[name.text] = d
		p.node(d.node, p.word("a node's kind"))
		d.open = false
		return ref{d.node, false}
	default:
		n := &node{}
		p.node(n, first)
		return ref{n, false}
	}
}

// node reads a node after its kind.
func (p *parser) node(n *node, kind token) {
	n.kind, n.line = kind.text, kind.line
	p.nodes++
	p.depth++
	defer func() { p.depth-- }()
	switch {
	case p.nodes > maxNodes:
		p.failf(errBound, kind.line, "more than %d nodes", maxNodes)
	case p.depth > maxDepth:
		p.failf(errBound, kind.line, "%s: more than %d nodes in each other", kind.text, maxDepth)
	}
	p.want("{", kind.text)
	for p.err == nil && !p.ahead.is("}") {
		p.field(n)
	}
	p.want("}", kind.text)
}

// field reads a field of a node.
func (p *parser) field(n *node) {
	name := p.word("a field of " + n.kind + " or its closing brace")
	if name.text == "hidden" && p.ahead.kind == aWord { // what Webots keeps of a run
		name = p.next()
	}
	p.fields++
	switch old := n.field(name.text); {
	case p.err != nil:
		return
	case old != nil:
		p.failf(errContent, name.line, "%s.%s a second time, after line %d", n.kind, name.text, old.line)
	case p.fields > maxFields || len(n.fields) == maxNodeFields:
		p.failf(errBound, name.line, "more than %d fields, or %d of %s", maxFields, maxNodeFields, n.kind)
	}
	n.fields = append(n.fields, &field{name: name.text, line: name.line, val: p.value(n.kind + "." + name.text)})
}
