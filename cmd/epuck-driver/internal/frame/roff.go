// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// manual is a page being written.
type manual struct{ strings.Builder }

// section begins a section with its paragraphs.
func (m *manual) section(title string, paragraphs ...string) {
	fmt.Fprintf(m, ".SH %s\n", Roff(title))
	for i, p := range paragraphs {
		if i > 0 {
			m.WriteString(".PP\n")
		}
		m.WriteString(Roff(p) + "\n")
	}
}

// entry writes a term and what it means.
func (m *manual) entry(term, meaning string) {
	fmt.Fprintf(m, ".TP\n.B %s\n%s\n", Roff(term), Roff(meaning))
}

// Roff escapes what the formatter would take for its own: backslashes, hyphens (which it may turn into other dashes),
// and a point or an apostrophe at the beginning of a line. The tables' marks of code (`name`) go.
func Roff(s string) string {
	s = strings.NewReplacer("\\", "\\e", "-", "\\-", "`", "", "\n", " ", "\"", "\\(dq").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = "\\&" + s
	}
	return s
}

// text writes lines as they are, for examples.
func (m *manual) text(lines string) {
	m.WriteString(".nf\n")
	for line := range strings.Lines(lines) {
		m.WriteString(Roff(strings.TrimRight(line, "\n")) + "\n")
	}
	m.WriteString(".fi\n")
}

// options writes what the flags mean, in the order of the help.
func (m *manual) options(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		m.option(f, "--"+f.Name)
	})
}

// option writes what a flag means, under a name.
func (m *manual) option(f *pflag.Flag, name string) {
	e := entryOf(f, name)
	if f.Shorthand != "" {
		e.term = "-" + f.Shorthand + ", " + e.term
	}
	m.entry(e.term, e.text)
}
