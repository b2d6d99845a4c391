// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// addDefinitions adds the file of package msgs with the fields of types as text, for programs that handle types known
// only at run time. It does not have variants.
func addDefinitions(files map[string][]byte, module, licence string, packages []*Package) error {
	u := newUnit(module, &Package{Dir: path.Base(module)}, packages)
	u.licence = licence
	var messages []*idl.Message
	for _, p := range packages {
		if p.Variant {
			continue
		}
		messages = append(messages, p.generated()...)
		for _, a := range p.Actions {
			goal, result := a.SendGoal(), a.GetResult()
			messages = append(messages, &goal.Request, &goal.Response, &result.Request, &result.Response, a.FeedbackMessage())
		}
	}
	slices.SortFunc(messages, func(a, b *idl.Message) int { return strings.Compare(a.FullName(), b.FullName()) })
	u.printf("// Definition returns the fields of a ROS type available from [Lookup], in the syntax of\n" +
		"// .msg files without comments and constants, nested types by their full names. ok is\n" +
		"// false if the type is not known.\n")
	u.printf("func Definition(rosType string) (fields string, ok bool) {\nswitch rosType {\n")
	for _, m := range messages {
		var lines []string
		for i := range m.Fields {
			lines = append(lines, fieldLine(&m.Fields[i]))
		}
		u.printf("case %q:\nreturn %s, true\n", m.FullName(), quoteLines(lines))
	}
	u.printf("}\nreturn \"\", false\n}\n")
	text, err := u.file("all definitions")
	files["definition"+Suffix] = text
	return err
}

// typeDefinition appends the method that returns the definition of a message, for ~/get_type_description.
func (u *unit) typeDefinition(m *idl.Message, name string) {
	var lines, nested []string
	for _, c := range m.Constants {
		lines = append(lines, fmt.Sprintf("%s %s=%s", c.Base, c.Name, goLiteral(c.Base, c.Value)))
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		lines = append(lines, fieldLine(f))
		if f.Type.Base != idl.Nested {
			continue
		}
		if value := "(*" + u.goRef(f.Type.Ref) + ")(nil)"; !slices.Contains(nested, value) {
			nested = append(nested, value)
		}
	}
	list := "nil"
	if len(nested) > 0 {
		list = "[]cdr.Message{" + strings.Join(nested, ", ") + "}"
	}
	u.printf("// TypeDefinition returns the constants and fields in the syntax of .msg files, nested types by their full names,\n" +
		"// and a nil message of each nested type.\n")
	u.printf("func (*%s) TypeDefinition() (text string, nested []cdr.Message) {\nreturn %s, %s\n}\n\n", name, quoteLines(lines), list)
}

// fieldLine returns a field in the syntax of a definition: "float64 w 1".
func fieldLine(f *idl.Field) string {
	t := &f.Type
	line := string(t.Base)
	if t.Base == idl.Nested {
		line = t.Ref
	}
	if t.StringBound > 0 {
		line += fmt.Sprintf("<=%d", t.StringBound)
	}
	switch t.Container {
	case idl.Array:
		line += fmt.Sprintf("[%d]", t.Size)
	case idl.BoundedSeq:
		line += fmt.Sprintf("[<=%d]", t.Size)
	case idl.UnboundedSeq:
		line += "[]"
	}
	line += " " + f.Name
	switch {
	case f.Default == nil:
		return line
	case t.Container == idl.Single:
		return line + " " + goLiteral(t.Base, f.Default[0])
	}
	return line + " [" + goLiterals(t.Base, f.Default) + "]"
}

// quoteLines returns lines as Go source, one string for each.
func quoteLines(lines []string) string {
	if len(lines) == 0 {
		return `""`
	}
	quoted := make([]string, len(lines))
	for i, l := range lines {
		quoted[i] = fmt.Sprintf("%q", l+"\n")
	}
	return strings.Join(quoted, " +\n")
}
