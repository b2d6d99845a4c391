// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// violation is an expression outside the vocabulary, and where it is.
type violation struct {
	folder, place, text string
}

// vocabularyFiles are the files that contain avoided words and examples of them.
var vocabularyFiles = map[string]bool{
	"internal/policy/names_test.go":            true,
	"internal/policy/vocabulary_test.go":       true,
	"internal/policy/vocabulary_guard_test.go": true,
}

// violations returns all expressions outside the vocabulary: in comments, strings, declared names and file names of Go,
// and in the lines of documents, scripts, configurations and the page's TypeScript.
func violations(t *testing.T) (all []violation) {
	t.Helper()
	add := func(file string, line int, text string) {
		folder := path.Dir(file)
		for _, found := range avoided(folder, text) {
			all = append(all, violation{folder, place(file, line), found})
		}
	}
	for _, s := range sources(t) {
		if s.gen || vocabularyFiles[s.path] {
			continue
		}
		add(s.path, 1, splitName(strings.TrimSuffix(path.Base(s.path), ".go")))
		eachText(s, func(pos token.Pos, text string) { add(s.path, s.fset.Position(pos).Line, text) })
	}
	for _, file := range append(documents(t), typeScript(t)...) {
		data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			add(file, i+1, line)
		}
	}
	return all
}

// eachText calls f with the comments, the strings and the declared names of a Go file.
func eachText(s source, f func(pos token.Pos, text string)) {
	for _, group := range s.ast.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "//go:") {
				f(c.Pos(), c.Text)
			}
		}
	}
	name := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id != nil {
				f(id.Pos(), splitName(id.Name))
			}
		}
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				f(n.Pos(), n.Value)
			}
		case *ast.FuncDecl:
			name(n.Name)
		case *ast.TypeSpec:
			name(n.Name)
		case *ast.ValueSpec:
			name(n.Names...)
		case *ast.Field:
			name(n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						name(id)
					}
				}
			}
		}
		return true
	})
}

var nameParts = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)

// splitName returns the words of an identifier or a file name: TestWaitsForBus is "Test Waits For Bus".
func splitName(name string) string { return strings.Join(nameParts.FindAllString(name, -1), " ") }

// typeScript returns the page's source files.
func typeScript(t *testing.T) (files []string) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(filepath.Join(root, "web", "internal", "page", "src"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".ts") && !strings.HasSuffix(p, ".html") {
			return err
		}
		rel, err := filepath.Rel(root, p)
		files = append(files, filepath.ToSlash(rel))
		return err
	})
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of the page: %v", len(files), err)
	}
	return files
}
