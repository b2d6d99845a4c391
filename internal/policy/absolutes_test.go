// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// absolute matches words of statements that hold in every case.
var absolute = regexp.MustCompile(`(?i)\b(never|always|whatever|wait for any|waits for no)\w*`)

// TestAbsoluteStatementsNameATest: a public comment of the tree, or a paragraph of a document, that states something
// for every case names a test of it.
func TestAbsoluteStatementsNameATest(t *testing.T) {
	known := knownTests(t)
	check := func(where, text string) {
		t.Helper()
		text = strings.Join(strings.Fields(text), " ")
		if !absolute.MatchString(text) {
			return
		}
		names := namedTest.FindAllString(text, -1)
		if len(names) == 0 {
			t.Errorf("%s: no test is named for %q", where, text)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s names %s, which does not exist", where, name)
			}
		}
	}
	comments := 0
	for _, s := range sources(t) {
		if s.test || s.gen {
			continue
		}
		for _, c := range publicComments(s.ast) {
			comments++
			check(s.path, c.Text())
		}
	}
	texts := 0
	for _, path := range documents(t) {
		if filepath.Ext(path) != ".md" {
			continue
		}
		texts++
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		for _, paragraph := range strings.Split(string(text), "\n\n") {
			check(path, paragraph)
		}
	}
	if comments < 1000 || texts < 15 {
		t.Errorf("only %d comments and %d documents were read: the search is broken", comments, texts)
	}
}

// publicComments returns the comments that documentation shows: of the package, and of exported names, fields and
// methods.
func publicComments(f *ast.File) (list []*ast.CommentGroup) {
	add := func(c *ast.CommentGroup, exported bool) {
		if c != nil && exported {
			list = append(list, c)
		}
	}
	add(f.Doc, true)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Doc, n.Name.IsExported())
			return false
		case *ast.GenDecl:
			add(n.Doc, len(n.Specs) == 1 && exportedSpec(n.Specs[0]))
		case *ast.ValueSpec:
			add(n.Doc, exportedSpec(n))
			return false
		case *ast.TypeSpec:
			add(n.Doc, n.Name.IsExported())
			return n.Name.IsExported()
		case *ast.Field:
			add(n.Doc, len(n.Names) > 0 && n.Names[0].IsExported())
		}
		return true
	})
	return list
}

func exportedSpec(s ast.Spec) bool {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Name.IsExported()
	case *ast.ValueSpec:
		return s.Names[0].IsExported()
	}
	return false
}
