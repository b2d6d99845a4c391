// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxColumns = 120
	tabColumns = 4
)

// TestCommentsAndDocumentsFitAScreen: comments in Go, Markdown but for its tables, and scripts and configuration.
func TestCommentsAndDocumentsFitAScreen(t *testing.T) {
	var found []string
	for _, s := range sources(t) {
		if s.gen {
			continue
		}
		for _, line := range longComments(s) {
			found = append(found, place(s.path, line))
		}
	}
	for _, path := range documents(t) {
		for _, line := range longDocumentLines(t, path) {
			found = append(found, place(path, line))
		}
	}
	if len(found) > 0 {
		t.Errorf("%d lines are longer than %d columns:\n  %s", len(found), maxColumns, strings.Join(found, "\n  "))
	}
}

func columns(line string) int {
	return utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
}

// longComments returns the lines with a comment that ends behind maxColumns. Examples' expected output is no comment.
func longComments(s source) []int {
	var lines []int
	for _, group := range s.ast.Comments {
		if text := group.Text(); s.test && (strings.HasPrefix(text, "Output:") || strings.HasPrefix(text, "Unordered output:")) {
			continue
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//nolint") || strings.HasPrefix(c.Text, "/*\n#include") {
				continue // for tools, and C
			}
			line := s.fset.Position(c.Pos()).Line
			for i := range strings.Split(c.Text, "\n") {
				if columns(s.text[line-1+i]) > maxColumns {
					lines = append(lines, line+i)
				}
			}
		}
	}
	return lines
}

// documents are the Markdown files, scripts and configuration of the project.
func documents(t *testing.T) []string {
	t.Helper()
	var paths []string
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || name == "bin" || name == "dist" || name == "node_modules" || strings.HasPrefix(name, ".") && path != root {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case filepath.Ext(name) == ".md" || isConfiguration(name):
			paths = append(paths, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 20 {
		t.Fatalf("found only %d documents: the walk is broken", len(paths))
	}
	return paths
}

func isConfiguration(name string) bool {
	switch filepath.Ext(name) {
	case ".sh", ".yaml", ".yml", ".py", ".service":
		return true
	}
	return name == "Makefile" || strings.HasPrefix(name, "Dockerfile")
}

// longDocumentLines returns the long lines of a document, but for tables, quoted blocks and lines that can't be broken;
// of a script or a configuration those of its comments.
func longDocumentLines(t *testing.T, path string) []int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	quoted := false
	for i, line := range strings.Split(string(data), "\n") {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "```") {
			quoted = !quoted
		}
		if columns(line) <= maxColumns {
			continue
		}
		isText := strings.HasPrefix(text, "#")
		if filepath.Ext(path) == ".md" {
			isText = !quoted && !strings.HasPrefix(text, "|") && !strings.HasPrefix(line, "    ") && strings.Contains(text, " ")
		}
		if isText {
			lines = append(lines, i+1)
		}
	}
	return lines
}
