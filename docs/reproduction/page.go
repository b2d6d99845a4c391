// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// width is that of a line of text in documents.
const width = 120

// heading is the page before the first source.
const heading = `# Reproduction of the sources' results

For readers of the documents that this project follows, and those who doubt its figures. Each table and figure of the
five documents is here, with the original's numbers, ours, and what makes ours. ` + "`make reproduce`" + ` measures the rows in
whose column "interval" there is one again and writes this page and its figures from docs/reproduction/sources;
` + "`make reproduce-check`" + ` fails when one of them leaves its interval, and so do the tests at night
(` + "`TestRowsStayInTheirIntervals`" + `; those that are computed without a program also in ` + "`make test`" + `). Rows that need a robot
name the step of ` + "`epuck-driver acceptance`" + ` that gives them; nothing here was measured on a robot. Figures are drawn from
the numbers of this page. Pages of the originals are given where this project's notes have them.
`

// documents returns the page and the figures by their paths.
func documents(sources []Source) map[string]string {
	all := map[string]string{}
	text := heading
	for _, s := range sources {
		text += "\n## " + s.Title + "\n\n" + wrap(s.Cited+". "+s.Note)
		for _, f := range s.Figures {
			text += f.section()
			if f.Chart != nil {
				all[figures+"/"+f.ID+".svg"] = f.drawing()
				text += fmt.Sprintf("\n![%s, original and here](../images/reproduction/%s.svg)\n", f.Name, f.ID)
			}
		}
	}
	all[page] = text
	return all
}

// section is the figure's part of the page.
func (f Figure) section() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s: %s\n\n", f.Name, f.Title)
	fmt.Fprintf(&b, "| what (%s) | original | here | interval | measured | by |\n| --- | --- | --- | --- | --- | --- |\n", f.Place)
	for _, r := range f.Rows {
		where := r.Date
		if where != "" {
			where += ", " + r.Machine
		}
		by := ""
		if r.Command != "" {
			by = "`" + strings.ReplaceAll(r.Command, "|", `\|`) + "`"
		}
		if r.Hardware != "" {
			by = strings.TrimPrefix(by+"; on a robot: "+r.Hardware, "; ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.What+unit(r.Unit), original(r), cmp.Or(ours(r), "–"), interval(r), where, by)
	}
	return b.String() + "\n" + wrap(f.Differs)
}

// unit is a row's unit behind what it is; none for numbers without one.
func unit(u string) string {
	if u == "1" || u == "–" {
		return ""
	}
	return ", " + u
}

func original(r Row) string {
	if r.Original != nil {
		return number(*r.Original)
	}
	return r.Theirs
}

func ours(r Row) string {
	if r.Number != nil {
		return number(*r.Number)
	}
	return r.Ours
}

func interval(r Row) string {
	if len(r.Interval) != 2 {
		return ""
	}
	return number(r.Interval[0]) + " … " + number(r.Interval[1])
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// wrap breaks a text into lines of the documents' width.
func wrap(text string) string {
	var b strings.Builder
	length := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		if length > 0 && length+1+n > width {
			b.WriteString("\n")
			length = 0
		}
		if length > 0 {
			b.WriteString(" ")
			length++
		}
		b.WriteString(word)
		length += n
	}
	if length > 0 {
		b.WriteString("\n")
	}
	return b.String()
}
