// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"slices"
	"strings"
	"text/scanner"
)

// readIDL reads definitions in IDL, each after a line as in "IDL: package/msg/Type", or one text without such lines.
func (d definitions) readIDL(text string) error {
	list, err := sections("", text)
	if err != nil {
		return err
	}
	p := idlParser{defs: d, types: map[string]idlType{}, structs: map[string][]idlField{}, constants: map[string]string{},
		enums: map[string]bool{}, resolved: map[string]string{}}
	for _, s := range list {
		if err := p.parse(s.text); err != nil {
			return fmt.Errorf("%w: %s%w", ErrSyntax, place(s), err)
		}
	}
	return p.finish()
}

func place(s section) string {
	if s.name == "" {
		return ""
	}
	return s.name + ": "
}

// idlType is a type that a declaration mentions.
type idlType struct {
	name   string   // a word of .msg files, or a name with "::", not resolved yet
	scope  []string // where it is mentioned
	bound  string   // of a string
	suffix string   // of a list: "[]", "[<=4]", "[3]"
}

// idlField is a member of a structure.
type idlField struct {
	idlType
	field, value string // value is the default as .msg files write it
}

// idlParser reads IDL as rosidl writes it: modules, structures, type definitions, constants, enumerations, annotations.
type idlParser struct {
	defs      definitions
	s         scanner.Scanner
	tok       string
	kind      rune
	scope     []string
	types     map[string]idlType    // type definitions, by scoped names
	structs   map[string][]idlField // by scoped names
	constants map[string]string
	enums     map[string]bool   // by scoped names
	resolved  map[string]string // types in the form of .msg files, by the scope in which they are mentioned and the name
	size      int               // bytes of the fields
	err       error
}

const maxScope = 32

func (p *idlParser) parse(text string) error {
	p.s.Init(strings.NewReader(preprocessed(text)))
	p.s.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats | scanner.ScanStrings | scanner.ScanChars | scanner.ScanComments | scanner.SkipComments
	p.s.Error = func(_ *scanner.Scanner, msg string) {
		if p.err == nil {
			p.err = fmt.Errorf("line %d: %s", p.s.Pos().Line, msg)
		}
	}
	p.scope, p.err = nil, nil
	p.next()
	for p.kind != scanner.EOF && p.err == nil {
		p.declaration()
	}
	return p.err
}

// preprocessed removes the lines of the preprocessor.
func preprocessed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

func (p *idlParser) next() {
	p.kind = p.s.Scan()
	p.tok = p.s.TokenText()
}

func (p *idlParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("line %d: "+format, append([]any{p.s.Line}, args...)...)
	}
	p.kind, p.tok = scanner.EOF, ""
}

// expect reads a token.
func (p *idlParser) expect(tok string) {
	if p.tok != tok {
		p.fail("want %q, not %.40q", tok, p.tok)
		return
	}
	p.next()
}

// word reads a name.
func (p *idlParser) word() string {
	if p.kind != scanner.Ident {
		p.fail("want a name, not %.40q", p.tok)
		return ""
	}
	w := p.tok
	p.next()
	return w
}

// scoped reads a name as in "std_msgs::msg::Header".
func (p *idlParser) scoped() string {
	words := []string{p.word()}
	for p.tok == ":" && p.s.Peek() == ':' && p.err == nil {
		p.next()
		p.next()
		words = append(words, p.word())
	}
	return strings.Join(words, "::")
}

func (p *idlParser) path(name string) string {
	return strings.Join(append(slices.Clone(p.scope), name), "::")
}

func (p *idlParser) declaration() {
	p.annotations()
	switch p.tok {
	case "module":
		p.module()
	case "struct":
		p.structure()
	case "typedef":
		p.typeDefinition()
	case "const":
		p.constant()
	case "enum":
		p.enumeration()
	case ";":
		p.next()
	default:
		p.fail("%.40q is not known here", p.tok)
	}
}

func (p *idlParser) module() {
	p.next()
	name := p.word()
	switch n := len(p.path(name)); {
	case len(p.scope) >= maxScope:
		p.fail("modules are nested more than %d deep", maxScope)
		return
	case n > maxName:
		p.fail("a name of %d bytes, the limit is %d", n, maxName)
		return
	}
	p.scope = append(p.scope, name)
	p.expect("{")
	for p.tok != "}" && p.kind != scanner.EOF && p.err == nil {
		p.declaration()
	}
	p.expect("}")
	p.scope = p.scope[:max(0, len(p.scope)-1)]
	if p.tok == ";" {
		p.next()
	}
}

func (p *idlParser) structure() {
	p.next()
	name := p.word()
	fields := []idlField{}
	p.expect("{")
	for p.tok != "}" && p.kind != scanner.EOF && p.err == nil {
		value := p.annotations()
		t := p.typeOf()
		for p.err == nil {
			f := idlField{idlType: t, field: p.word(), value: value}
			f.suffix += p.arrays()
			fields = append(fields, f)
			if p.tok != "," {
				break
			}
			p.next()
		}
		p.expect(";")
	}
	p.expect("}")
	p.expect(";")
	p.structs[p.path(name)] = fields
}

func (p *idlParser) typeDefinition() {
	p.next()
	t := p.typeOf()
	name := p.word()
	t.suffix += p.arrays()
	p.expect(";")
	p.types[p.path(name)] = t
}

// constant reads a constant; its value may be the size of an array.
func (p *idlParser) constant() {
	p.next()
	p.typeOf()
	name := p.word()
	p.expect("=")
	var value strings.Builder
	for p.tok != ";" && p.kind != scanner.EOF && p.err == nil {
		value.WriteString(p.tok)
		p.next()
	}
	p.expect(";")
	p.constants[p.path(name)] = value.String()
	p.constants[name] = value.String()
}

func (p *idlParser) enumeration() {
	p.next()
	p.enums[p.path(p.word())] = true
	for p.tok != "}" && p.kind != scanner.EOF {
		p.next()
	}
	p.expect("}")
	p.expect(";")
}

// annotations reads "@verbatim(…)" and the like, and returns the value of @default.
func (p *idlParser) annotations() (value string) {
	for p.tok == "@" && p.err == nil {
		p.next()
		name := p.word()
		if p.tok != "(" {
			continue
		}
		var words []string
		for depth := 0; p.kind != scanner.EOF; {
			switch p.tok {
			case "(":
				depth++
			case ")":
				depth--
			}
			words = append(words, p.tok)
			p.next()
			if depth == 0 {
				break
			}
		}
		if name == "default" && len(words) > 4 && words[1] == "value" {
			value = defaultOf(strings.Join(words[3:len(words)-1], ""))
		}
	}
	return value
}

// defaultOf returns a default as .msg files write it.
func defaultOf(value string) string {
	switch value {
	case "TRUE":
		return "true"
	case "FALSE":
		return "false"
	}
	return value
}
