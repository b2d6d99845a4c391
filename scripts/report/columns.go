// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/epuck-ros2/epuck-driver/internal/policy"
)

const (
	maxColumns = 120
	tabColumns = 4
)

// longLines returns the lines beyond maxColumns: comments in Go, Markdown but for its tables, and comments of scripts
// and configuration.
func (t *tree) longLines() (list []string) {
	for _, s := range t.sources {
		if s.Gen {
			continue
		}
		for _, line := range longComments(s) {
			list = append(list, s.Path+":"+strconv.Itoa(line))
		}
	}
	for _, d := range t.documents {
		for _, line := range longDocumentLines(d) {
			list = append(list, d.path+":"+strconv.Itoa(line))
		}
	}
	return list
}

func columns(line string) int {
	return utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
}

// longComments returns the lines with a comment that ends behind maxColumns. Examples' expected output is no comment.
func longComments(s policy.Source) []int {
	var lines []int
	for _, group := range s.AST.Comments {
		if text := group.Text(); s.Test && (strings.HasPrefix(text, "Output:") || strings.HasPrefix(text, "Unordered output:")) {
			continue
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//nolint") || strings.HasPrefix(c.Text, "/*\n#include") {
				continue // for tools, and C
			}
			line := s.Fset.Position(c.Pos()).Line
			for i := range strings.Split(c.Text, "\n") {
				if columns(s.Text[line-1+i]) > maxColumns {
					lines = append(lines, line+i)
				}
			}
		}
	}
	return lines
}

// longDocumentLines returns the long lines of a document, but for tables, quoted blocks and lines that can't be broken;
// of a script or a configuration those of its comments.
func longDocumentLines(d document) []int {
	if isPage(d.path) {
		return nil
	}
	var lines []int
	quoted := false
	for i, line := range strings.Split(d.text, "\n") {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "```") {
			quoted = !quoted
		}
		if columns(line) <= maxColumns {
			continue
		}
		isText := strings.HasPrefix(text, "#")
		if path.Ext(d.path) == ".md" {
			isText = !quoted && !strings.HasPrefix(text, "|") && !strings.HasPrefix(line, "    ") && strings.Contains(text, " ")
		}
		if isText {
			lines = append(lines, i+1)
		}
	}
	return lines
}
