// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestTypesOfTheRobotsProgram checks the types of all packages and their tests as they are built for the robot, linux/arm
// without cgo, which nothing else in the gate compiles. Functions of other modules are checked without their bodies,
// which would take four times as long.
func TestTypesOfTheRobotsProgram(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root = strings.TrimSuffix(root, "internal/policy")
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax,
		Dir:  root, Tests: true, Context: t.Context(),
		Env: append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0"),
		ParseFile: func(files *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
			if f == nil || strings.HasPrefix(name, root) {
				return f, err
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					fn.Body = nil
				}
			}
			return f, err
		},
	}
	all, err := packages.Load(cfg, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 400 {
		t.Errorf("only %d packages and tests: the search is broken", len(all))
	}
	for _, p := range all {
		for _, e := range p.Errors {
			if !strings.HasSuffix(p.ID, ".test") { // a main function that go test generates
				t.Errorf("%s: %v", p.ID, e)
			}
		}
	}
}
