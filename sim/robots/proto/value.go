// SPDX-License-Identifier: Apache-2.0

package proto

// value reads a field's value: one, as many numbers as there are, or a list.
func (p *parser) value(of string) (v value) {
	t := p.next()
	switch {
	case t.is("["):
		v.list = true
		for p.err == nil && !p.ahead.is("]") {
			p.item(&v, p.next(), of)
		}
		p.want("]", of)
	case t.is("IS"):
		return p.parameter(p.word("a field of the PROTO after IS"), of)
	case t.is("NULL"):
	case t.kind == aNumber:
		v.numbers = append(v.numbers, t.number)
		for p.ahead.kind == aNumber {
			v.numbers = append(v.numbers, p.next().number)
		}
	default:
		p.item(&v, t, of)
	}
	if v.kinds() > 1 {
		p.failf(errSyntax, t.line, "%s: a list of different things", of)
	}
	return v
}

// item adds one thing to a value.
func (p *parser) item(v *value, t token, of string) {
	switch {
	case p.err != nil:
	case t.kind == aNumber:
		v.numbers = append(v.numbers, t.number)
	case t.kind == aString:
		v.strings = append(v.strings, t.text)
	case t.is("TRUE"), t.is("FALSE"):
		v.booleans = append(v.booleans, t.text == "TRUE")
	case t.kind == aWord:
		v.nodes = append(v.nodes, p.reference(t))
	default:
		p.failf(errSyntax, t.line, "%s: %s in place of a value", of, t.describe())
	}
}

// parameter is the value that the PROTO's header gives a field.
func (p *parser) parameter(name token, of string) value {
	f := p.params[name.text]
	if p.err == nil && f == nil {
		p.failf(errContent, name.line, "%s IS %s: the PROTO's header has no such field", of, name.text)
	}
	if p.err != nil {
		return value{}
	}
	f.read = true
	v := f.val
	v.again = true
	return v
}
