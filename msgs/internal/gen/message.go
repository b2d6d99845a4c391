// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/rihs"
)

// message appends the Go form of m: constants, struct, default and methods.
func (u *unit) message(m *idl.Message, doc string) error {
	hash, err := rihs.OfMessage(m, u.find)
	if err != nil {
		return err
	}
	name := goTypeName(m.Name)
	u.imports[cdrPath] = true
	u.constants(m, name)
	u.structure(m, name, doc)
	if u.hasDefault(m) {
		u.defaults(m, name)
	}
	u.printf("// ROSType returns %q.\n", m.FullName())
	u.printf("func (*%s) ROSType() string { return %q }\n\n", name, m.FullName())
	u.printf("// TypeHash returns the RIHS01 hash of the definition.\n")
	u.printf("func (*%s) TypeHash() string {\nreturn %q\n}\n\n", name, hash)
	u.typeDefinition(m, name)
	u.encoder(m, name)
	u.decoder(m, name)
	return nil
}

// constants appends the constants of a message, named after its type.
func (u *unit) constants(m *idl.Message, name string) {
	if len(m.Constants) == 0 {
		return
	}
	u.printf("// Constants of [%s].\nconst (\n", name)
	for _, c := range m.Constants {
		u.printf("%s %s = %s", goConstName(m.Name, c.Name), goBase(c.Base), goLiteral(c.Base, c.Value))
		if c.Doc != "" {
			u.printf(" // %s", strings.ReplaceAll(c.Doc, "\n", " "))
		}
		u.printf("\n")
	}
	u.printf(")\n\n")
}

// structure appends the struct.
func (u *unit) structure(m *idl.Message, name, doc string) {
	u.comment(doc)
	u.printf("type %s struct {\n", name)
	for i := range m.Fields {
		f := &m.Fields[i]
		u.fieldComment(goFieldName(f.Name), f)
		u.printf("%s %s\n", goFieldName(f.Name), u.goType(&f.Type))
	}
	u.printf("}\n\n")
}

// fieldComment appends the comment of a field and its bounds, which are not part of the Go type.
func (u *unit) fieldComment(name string, f *idl.Field) {
	var parts []string
	if f.Doc != "" {
		parts = append(parts, strings.TrimSuffix(f.Doc, "."))
	}
	if f.Type.Container == idl.BoundedSeq {
		parts = append(parts, fmt.Sprintf("at most %d elements", f.Type.Size))
	}
	if f.Type.StringBound > 0 {
		parts = append(parts, fmt.Sprintf("at most %d bytes", f.Type.StringBound))
	}
	if len(parts) > 0 {
		u.comment(name + ": " + strings.Join(parts, "; ") + ".")
	}
}

// goType returns the Go type of a field.
func (u *unit) goType(t *idl.Type) string {
	element := goBase(t.Base)
	if t.Base == idl.Nested {
		element = u.goRef(t.Ref)
	}
	switch t.Container {
	case idl.Single:
		return element
	case idl.Array:
		return fmt.Sprintf("[%d]%s", t.Size, element)
	}
	return "[]" + element
}

// defaults appends a function that returns the message with its defaults, as other ROS client libraries construct it.
func (u *unit) defaults(m *idl.Message, name string) {
	u.printf("// Default%s returns the value with the defaults of the definition, where they are not zero.\n", name)
	u.printf("func Default%s() (m %s) {\n", name, name)
	for i := range m.Fields {
		f := &m.Fields[i]
		if !u.fieldHasDefault(f) {
			continue
		}
		field := "m." + goFieldName(f.Name)
		switch t := &f.Type; {
		case t.Base == idl.Nested && t.Container == idl.Array:
			u.printf("for i := range %s {\n%s[i] = %s()\n}\n", field, field, u.goRefPrefixed(t.Ref, "Default"))
		case t.Base == idl.Nested:
			u.printf("%s = %s()\n", field, u.goRefPrefixed(t.Ref, "Default"))
		case t.Container == idl.Single:
			u.printf("%s = %s\n", field, goLiteral(t.Base, f.Default[0]))
		default:
			u.printf("%s = %s{%s}\n", field, u.goType(t), goLiterals(t.Base, f.Default))
		}
	}
	u.printf("return m\n}\n\n")
}
