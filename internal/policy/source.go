// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Module is the path of the project's module.
const Module = "github.com/epuck-ros2/epuck-driver"

// Source is one Go file of the project.
type Source struct {
	Path    string // slash-separated, from the project's root
	Folder  string // folder of the file, from the root
	Text    []string
	Fset    *token.FileSet
	AST     *ast.File
	Imports []string
	Test    bool // a file of tests
	Gen     bool // a generated file
}

// Read parses all Go files below root except those in folders named testdata or bin, or whose names begin with a dot.
func Read(root string) ([]Source, error) {
	var paths []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if path != root && (name == "testdata" || name == "bin" || name == "node_modules" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, ".go") {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return parseAll(root, paths)
}

// parseAll parses files on all processors.
func parseAll(root string, paths []string) ([]Source, error) {
	all, errs := make([]Source, len(paths)), make([]error, len(paths))
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(paths); i += workers {
				all[i], errs[i] = readFile(root, paths[i])
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func readFile(root, path string) (Source, error) {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return Source{}, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Source{}, err
	}
	return Parse(filepath.ToSlash(rel), data)
}

// Parse returns the source of a file with that path from the root.
func Parse(path string, data []byte) (Source, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, data, parser.ParseComments)
	if err != nil {
		return Source{}, err
	}
	folder := "."
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		folder = path[:i]
	}
	s := Source{
		Path: path, Folder: folder, Text: strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), Fset: fset, AST: file,
		Test: strings.HasSuffix(path, "_test.go"), Gen: ast.IsGenerated(file),
	}
	for _, imp := range file.Imports {
		name, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return Source{}, err
		}
		s.Imports = append(s.Imports, name)
	}
	return s, nil
}

// Line returns the line of a position in the file.
func (s Source) Line(pos token.Pos) int { return s.Fset.Position(pos).Line }

// Place names a line for an editor: path:line.
func (s Source) Place(pos token.Pos) string { return s.Path + ":" + strconv.Itoa(s.Line(pos)) }

// Under reports whether path is prefix or is below it; a prefix that ends in "$" means itself only.
func Under(path, prefix string) bool {
	if only, exact := strings.CutSuffix(prefix, "$"); exact {
		return path == only
	}
	return path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/")
}
