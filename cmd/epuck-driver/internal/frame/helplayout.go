// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// helpWidth and helpLines are the size of a page of help: that of the smallest common terminal.
	helpWidth = 80
	helpLines = 24
	// rootLines is the number of lines of the program's own page, which has a line for each command.
	rootLines = 40
)

// section is a part of a page of help. Its title may be empty.
type section struct {
	title string
	lines []string
}

// render returns a page of the sections that are not empty.
func render(sections []section) string {
	var b strings.Builder
	for _, s := range sections {
		if len(s.lines) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if s.title != "" {
			b.WriteString(s.title + ":\n")
		}
		b.WriteString(strings.Join(s.lines, "\n") + "\n")
	}
	return b.String()
}

// shortened formats each entry as one line; long ones are truncated with an ellipsis.
func shortened(all []entry) (lines []string) {
	const widest = 27
	width := 0
	for _, e := range all {
		width = min(widest, max(width, utf8.RuneCountInString(e.term)))
	}
	for _, e := range all {
		text, _, _ := strings.Cut(e.text, ";")
		line := []rune(fmt.Sprintf("  %-*s  %s", width, e.term, text))
		if len(line) > helpWidth {
			line = append(line[:helpWidth-1], '…')
		}
		lines = append(lines, string(line))
	}
	return lines
}

// chunks formats descriptions of flags as pages of at most helpLines.
func chunks(all []entry) (pages [][]string) {
	const most = helpLines - 2
	for len(all) > 0 {
		n := len(all)
		for n > 1 && len(linesOf(columns(all[:n]))) > most {
			n--
		}
		pages = append(pages, linesOf(columns(all[:n])))
		all = all[n:]
	}
	return pages
}

// linesOf splits a text into its lines.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

// indented prepends two spaces to lines.
func indented(lines []string) []string {
	for i, line := range lines {
		lines[i] = "  " + line
	}
	return lines
}

// paragraphs wraps a text. Lines that begin with a space are preserved.
func paragraphs(text string) (lines []string) {
	rest := ""
	flush := func() {
		if rest != "" {
			lines = append(lines, wrap(rest, helpWidth)...)
		}
		rest = ""
	}
	for _, line := range linesOf(text) {
		switch {
		case line == "":
			flush()
			lines = append(lines, "")
		case strings.HasPrefix(line, " ") || strings.HasSuffix(line, ":"):
			flush()
			lines = append(lines, hanging(line)...)
		default:
			rest += line + " "
		}
	}
	flush()
	return lines
}

// hanging wraps a line of a table; continuation lines are indented to its second column.
func hanging(line string) (lines []string) {
	if utf8.RuneCountInString(line) <= helpWidth {
		return []string{line}
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if at := strings.LastIndex(line[:helpWidth/2], "  "); at > indent {
		indent = at + 2
	}
	for i, part := range wrap(line[indent:], helpWidth-indent) {
		start := line[:indent]
		if i > 0 {
			start = strings.Repeat(" ", indent)
		}
		lines = append(lines, start+part)
	}
	return lines
}

// firstSentence returns the first sentence of a text.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if end := strings.Index(text, ". "); end >= 0 {
		return text[:end+1]
	}
	return text
}

// wrapCommand wraps a long command line, with a mark before each break.
func wrapCommand(line, mark string) []string {
	if utf8.RuneCountInString(line) <= helpWidth {
		return []string{line}
	}
	parts := wrap(strings.TrimSpace(line), helpWidth-6-len(mark))
	for i, part := range parts {
		parts[i] = "      " + part
		if i == 0 {
			parts[i] = "  " + part
		}
		if i < len(parts)-1 {
			parts[i] += mark
		}
	}
	return parts
}

// entry is a row of a table of flags: a term and its meaning.
type entry struct{ term, text string }

// columns formats entries in two columns, the second one wrapped.
func columns(all []entry) string {
	const widest = 27
	width := 0
	for _, e := range all {
		if n := len(e.term); n <= widest {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, e := range all {
		lines := wrap(e.text, helpWidth-width-4)
		if len(e.term) > width {
			lines = append([]string{""}, lines...)
		}
		for i, line := range lines {
			term := ""
			if i == 0 {
				term = e.term
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s  %s", width, term, line), " ") + "\n")
		}
	}
	return b.String()
}

// wrap breaks a text into lines of at most width characters.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
