// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/epuck-ros2/epuck-driver"

// source is one Go file of the project.
type source struct {
	path      string // slash-separated, from the project's root
	folder    string // folder of the file, from the root
	text      []string
	fset      *token.FileSet
	ast       *ast.File
	imports   []string
	test, gen bool
}

// sources gives every Go file of the project but test data. They are parsed once.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("found only %d Go files: the walk is broken", len(all))
	}
	return all
}

var parsed = sync.OnceValues(func() (all []source, err error) {
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || name == "bin" || (strings.HasPrefix(name, ".") && path != root) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		s, err := parse(path, filepath.ToSlash(rel))
		all = append(all, s)
		return err
	})
	return all, err
})

func parse(path, rel string) (source, error) {
	text, err := readLines(path)
	if err != nil {
		return source{}, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
	if err != nil {
		return source{}, err
	}
	s := source{
		path: rel, folder: filepath.ToSlash(filepath.Dir(rel)), text: text, fset: fset, ast: file,
		test: strings.HasSuffix(rel, "_test.go"), gen: ast.IsGenerated(file),
	}
	for _, imp := range file.Imports {
		name, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, name)
	}
	return s, nil
}

func readLines(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}

// place names a line for an editor: path:line.
func place(path string, line int) string { return path + ":" + strconv.Itoa(line) }
