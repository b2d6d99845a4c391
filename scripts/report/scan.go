// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/policy"
)

// vocabularyFiles are the files that contain avoided words and examples of them.
var vocabularyFiles = map[string]bool{
	"scripts/report/vocabulary.go":      true,
	"scripts/report/vocabulary_test.go": true,
	"scripts/report/report_test.go":     true,
}

// wordsOutside returns the expressions outside the vocabulary by folders on top: in comments, strings, declared names
// and file names of Go, and in the lines of documents, scripts, configurations and the page's TypeScript.
func (t *tree) wordsOutside() map[string][]string {
	all := map[string][]string{}
	add := func(file string, line int, text string) {
		top, _, inFolder := strings.Cut(file, "/")
		if !inFolder {
			top = "."
		}
		for _, found := range avoided(path.Dir(file), text) {
			all[top] = append(all[top], file+":"+strconv.Itoa(line)+": "+found)
		}
	}
	for _, s := range t.sources {
		if s.Gen || vocabularyFiles[s.Path] {
			continue
		}
		add(s.Path, 1, splitName(strings.TrimSuffix(path.Base(s.Path), ".go")))
		eachText(s, func(pos token.Pos, text string) { add(s.Path, s.Line(pos), text) })
	}
	for _, d := range t.documents {
		for i, line := range strings.Split(d.text, "\n") {
			add(d.path, i+1, line)
		}
	}
	return all
}

// eachText calls f with the comments, the strings and the declared names of a Go file.
func eachText(s policy.Source, f func(pos token.Pos, text string)) {
	for _, group := range s.AST.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "//go:") {
				f(c.Pos(), c.Text)
			}
		}
	}
	ast.Inspect(s.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				f(n.Pos(), n.Value)
			}
		default:
			for _, id := range declaredNames(n) {
				f(id.Pos(), splitName(id.Name))
			}
		}
		return true
	})
}

// declaredNames returns the names that a node declares.
func declaredNames(n ast.Node) (names []*ast.Ident) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return []*ast.Ident{n.Name}
	case *ast.TypeSpec:
		return []*ast.Ident{n.Name}
	case *ast.ValueSpec:
		return n.Names
	case *ast.Field:
		return n.Names
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			if id, ok := e.(*ast.Ident); ok && n.Tok == token.DEFINE {
				names = append(names, id)
			}
		}
	}
	return names
}

var nameParts = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)

// splitName returns the words of an identifier or a file name: TestWaitsForBus is "Test Waits For Bus".
func splitName(name string) string { return strings.Join(nameParts.FindAllString(name, -1), " ") }
