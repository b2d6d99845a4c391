// SPDX-License-Identifier: Apache-2.0

package xmltree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Parse reads a file, whose name is for errors only. Those match [ErrSyntax] and begin with name and line.
func Parse(name string, text []byte) (*Document, error) {
	doc := &Document{name: name}
	if len(text) > MaxSize {
		return nil, fmt.Errorf("%w: %s: %d bytes are more than %d", ErrSyntax, name, len(text), MaxSize)
	}
	p := parser{doc: doc, in: xml.NewDecoder(bytes.NewReader(text))}
	p.in.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if strings.EqualFold(charset, "us-ascii") {
			return in, nil
		}
		return nil, fmt.Errorf("it is written in %s; only UTF-8 is read", charset)
	}
	for {
		token, err := p.in.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = p.add(token)
		}
		if err != nil {
			line, _ := p.in.InputPos()
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				line, err = syntax.Line, errors.New(syntax.Msg)
			}
			return nil, fmt.Errorf("%w: %s:%d: %w", ErrSyntax, name, line, err)
		}
	}
	switch {
	case len(p.open) > 0:
		e := p.open[len(p.open)-1]
		return nil, fmt.Errorf("%w: %s:%d: <%s> is never closed", ErrSyntax, name, e.Line, e.Name)
	case doc.Root == nil:
		return nil, fmt.Errorf("%w: %s: there is no element in it", ErrSyntax, name)
	}
	return doc, nil
}

// parser makes elements of tokens.
type parser struct {
	doc   *Document
	in    *xml.Decoder
	open  []*Element
	count int
}

func (p *parser) add(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		return p.start(token)
	case xml.EndElement:
		return p.end(full(token.Name))
	case xml.CharData:
		return p.text(string(token))
	case xml.Directive:
		return errors.New("document types are not read")
	default: // comments, processing instructions
		return nil
	}
}

// full is a name with its prefix, as it is written.
func full(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

func (p *parser) start(token xml.StartElement) error {
	line, _ := p.in.InputPos()
	e := &Element{Name: full(token.Name), Line: line, doc: p.doc}
	if p.count++; p.count > maxElements {
		return fmt.Errorf("more than %d elements", maxElements)
	}
	if len(p.open) == maxDepth {
		return fmt.Errorf("<%s> is more than %d elements deep", e.Name, maxDepth)
	}
	if len(token.Attr) > maxAttributes {
		return fmt.Errorf("<%s> has more than %d attributes", e.Name, maxAttributes)
	}
	for _, a := range token.Attr {
		name := full(a.Name)
		for _, other := range e.attributes {
			if other.name == name {
				return fmt.Errorf("<%s> has %s twice", e.Name, name)
			}
		}
		e.attributes = append(e.attributes, attribute{name: name, value: strings.Clone(a.Value)})
	}
	if n := len(p.open); n > 0 {
		p.open[n-1].Children = append(p.open[n-1].Children, e)
	} else if p.doc.Root != nil {
		return fmt.Errorf("<%s> comes after the end of <%s>", e.Name, p.doc.Root.Name)
	} else {
		p.doc.Root = e
	}
	p.open = append(p.open, e)
	return nil
}

func (p *parser) end(name string) error {
	if len(p.open) == 0 {
		return fmt.Errorf("</%s> closes nothing", name)
	}
	e := p.open[len(p.open)-1]
	if e.Name != name {
		return fmt.Errorf("</%s> closes <%s> of line %d", name, e.Name, e.Line)
	}
	e.Text = strings.TrimSpace(e.text.String())
	p.open = p.open[:len(p.open)-1]
	return nil
}

func (p *parser) text(s string) error {
	if len(p.open) > 0 {
		p.open[len(p.open)-1].text.WriteString(s)
	} else if strings.Trim(s, " \t\r\n\uFEFF") != "" {
		return errors.New("text outside of all elements")
	}
	return nil
}
