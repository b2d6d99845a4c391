// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/epuck-ros2/epuck-driver"

// imports maps a folder to the folders that it imports.
type imports map[string]map[string]bool

func (g imports) add(from, to string) {
	if g[from] == nil {
		g[from] = map[string]bool{}
	}
	g[from][to] = true
}

// reaches reports whether from imports to through at least one other folder.
func (g imports) reaches(from, to string) bool {
	visited := map[string]bool{}
	var search func(string) bool
	search = func(at string) bool {
		for next := range g[at] {
			if at == from && next == to || visited[next] {
				continue
			}
			visited[next] = true
			if next == to || search(next) {
				return true
			}
		}
		return false
	}
	return search(from)
}

// topFolders returns the imports between the folders at the top of the module in root, without tests.
func topFolders(root string) (imports, error) {
	g := imports{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") && path != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		from, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			own, isOwn := strings.CutPrefix(imported, module+"/")
			if to, _, _ := strings.Cut(own, "/"); isOwn && to != from {
				g.add(from, to)
			}
		}
		return nil
	})
	return g, err
}

// mermaid draws the imports, without an arrow where other arrows lead to the same folder.
func (g imports) mermaid() string {
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	for _, from := range slices.Sorted(maps.Keys(g)) {
		for _, to := range slices.Sorted(maps.Keys(g[from])) {
			if !g.reaches(from, to) {
				fmt.Fprintf(&b, "    %s --> %s\n", from, to)
			}
		}
	}
	b.WriteString("```\n")
	return b.String()
}

// foldersMarkdown draws the folders of this module; an error is part of the text, which the test then compares.
func foldersMarkdown() string {
	g, err := topFolders(filepath.Join("..", ".."))
	if err != nil {
		return err.Error() + "\n"
	}
	return g.mermaid()
}
