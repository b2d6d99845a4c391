// SPDX-License-Identifier: Apache-2.0

//go:build system

package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gopackages "golang.org/x/tools/go/packages"
)

// TestTypesOnOtherSystems: all packages and their tests have no errors of types on Windows and macOS. Nothing is
// compiled, and the functions of other modules are left out.
func TestTypesOnOtherSystems(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"windows/amd64", "darwin/arm64"} {
		t.Run(target, func(t *testing.T) {
			system, processor, _ := strings.Cut(target, "/")
			all, err := gopackages.Load(&gopackages.Config{
				Mode: gopackages.NeedName | gopackages.NeedFiles | gopackages.NeedCompiledGoFiles | gopackages.NeedImports |
					gopackages.NeedDeps | gopackages.NeedTypes | gopackages.NeedSyntax | gopackages.NeedTypesSizes,
				Dir: root, Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor), Tests: true,
				ParseFile: func(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
					return parseTypes(fset, name, text, strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, root))
				},
			}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			if len(all) < 300 {
				t.Fatalf("only %d packages: the search is broken", len(all))
			}
			for _, p := range all {
				for _, e := range p.Errors {
					t.Errorf("%s: %v", p.PkgPath, e)
				}
			}
		})
	}
}

// parseTypes parses a file, and leaves out what functions do if it is one of another module.
func parseTypes(fset *token.FileSet, name string, text []byte, other bool) (*ast.File, error) {
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if f == nil || !other {
		return f, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
	return f, err
}
