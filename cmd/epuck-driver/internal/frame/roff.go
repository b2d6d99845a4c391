// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// manual builds a manual page.
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

// entry writes a term and its meaning.
func (m *manual) entry(term, meaning string) {
	fmt.Fprintf(m, ".TP\n.B %s\n%s\n", Roff(term), Roff(meaning))
}

// Roff escapes the characters that the formatter interprets: backslashes, hyphens (which it may replace by other
// dashes), and a full stop or an apostrophe at the beginning of a line. It removes the marks of code (`name`) of the
// tables.
func Roff(s string) string {
	s = strings.NewReplacer("\\", "\\e", "-", "\\-", "`", "", "\n", " ", "\"", "\\(dq").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = "\\&" + s
	}
	return s
}

// text writes lines without filling, for examples.
func (m *manual) text(lines string) {
	m.WriteString(".nf\n")
	for line := range strings.Lines(lines) {
		m.WriteString(Roff(strings.TrimRight(line, "\n")) + "\n")
	}
	m.WriteString(".fi\n")
}

// options writes the flags and their meanings in the order of the help.
func (m *manual) options(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		m.option(f, "--"+f.Name)
	})
}

// option writes a flag and its meaning, under a name.
func (m *manual) option(f *pflag.Flag, name string) {
	e := entryOf(f, name)
	if f.Shorthand != "" {
		e.term = "-" + f.Shorthand + ", " + e.term
	}
	m.entry(e.term, e.text)
}
