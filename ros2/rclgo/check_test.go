// SPDX-License-Identifier: Apache-2.0

//go:build peers

package rclgo

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	ownPath   = "github.com/epuck-ros2/epuck-driver/ros2/rclgo"
	rclgoPath = "github.com/tiiuae/rclgo/pkg/rclgo"
	tag       = "rclgo"
)

// checker type-checks packages with the tag rclgo, without ROS 2: uses of C are not checked
// ([types.Config].FakeImportC), everything else is, against the source, that of rclgo from the module cache.
type checker struct {
	fset     *token.FileSet
	packages map[string]*types.Package // those that use C
	others   types.Importer
	module   string // rclgo's directory
}

// shared is the checker of all tests. Packages that are not checked are imported from the compiler's export data in the
// build cache.
var shared = sync.OnceValues(func() (*checker, error) {
	module, err := goList("-m", "-f", "{{.Dir}}", "github.com/tiiuae/rclgo")
	if err != nil {
		return nil, err
	}
	if len(module) == 0 {
		return nil, errors.New("the module github.com/tiiuae/rclgo is missing: go mod download, which scripts/setup.sh does")
	}
	c := &checker{fset: token.NewFileSet(), packages: map[string]*types.Package{}, module: module[0]}
	wanted := map[string]bool{}
	for _, dir := range []string{".", "internal/cheap", "../conformance", filepath.Join(c.module, "pkg/rclgo"), filepath.Join(c.module, "pkg/rclgo/types")} {
		p, err := tagged().ImportDir(dir, 0)
		if err != nil {
			return nil, err
		}
		imports := p.Imports
		if !filepath.IsAbs(dir) { // of ours the tests, too
			imports = slices.Concat(imports, p.TestImports)
		}
		for _, path := range imports {
			wanted[path] = path != "C" && path != "unsafe" && !checked(path)
		}
	}
	maps.DeleteFunc(wanted, func(_ string, wanted bool) bool { return !wanted })
	lines, err := goList(append([]string{"-export", "-f", "{{.ImportPath}}={{.Export}}"}, slices.Collect(maps.Keys(wanted))...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, line := range lines {
		path, file, _ := strings.Cut(line, "=")
		exports[path] = file
	}
	c.others = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return c, nil
})

// newChecker returns the shared checker.
func newChecker(t *testing.T) *checker {
	t.Helper()
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func goList(args ...string) (lines []string, err error) {
	out, err := exec.CommandContext(context.Background(), "go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %q: %w", args, err)
	}
	return strings.Fields(string(out)), nil
}

// tagged is a build with the tag.
func tagged() *build.Context {
	ctx := build.Default
	ctx.CgoEnabled = true
	ctx.BuildTags = []string{tag}
	return &ctx
}

// checked reports whether a package is checked from its source.
func checked(path string) bool {
	return path == ownPath || strings.HasPrefix(path, ownPath+"/") || strings.HasPrefix(path, rclgoPath)
}

// Import returns a package that another one imports.
func (c *checker) Import(path string) (*types.Package, error) {
	if !checked(path) {
		return c.others.Import(path)
	}
	if p := c.packages[path]; p != nil {
		return p, nil
	}
	if rest, own := strings.CutPrefix(path, ownPath); own {
		p, _, err := c.check(path, "."+rest, false)
		return p, err
	}
	dir := filepath.Join(c.module, strings.TrimPrefix(path, "github.com/tiiuae/rclgo"))
	// Some of its lines are invalid without C. Only its declarations matter here.
	p, files, _ := c.check(path, dir, false)
	if len(files) == 0 {
		return nil, fmt.Errorf("no source of %s in %s", path, dir)
	}
	return p, nil
}

// check checks the files in dir that a build with the tag has, and those of its tests.
func (c *checker) check(path, dir string, tests bool) (*types.Package, []*ast.File, error) {
	p, err := tagged().ImportDir(dir, 0)
	if err != nil {
		return nil, nil, err
	}
	var files []*ast.File
	names := append(p.GoFiles, p.CgoFiles...)
	if tests {
		names = append(names, p.TestGoFiles...)
	}
	for _, name := range names {
		f, err := parser.ParseFile(c.fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
	}
	var errs []error
	config := types.Config{Importer: c, FakeImportC: true, Error: func(err error) {
		// Values of C types have no type here, so errors about them are ignored.
		if !strings.Contains(err.Error(), "invalid type") {
			errs = append(errs, err)
		}
	}}
	result, _ := config.Check(path, c.fset, files, nil)
	c.packages[path] = result
	return result, files, errors.Join(errs...)
}

// TestTypeChecks: the files with the tag type-check, also where ROS 2 is not installed.
func TestTypeChecks(t *testing.T) {
	c := newChecker(t)
	p, files, err := c.check(ownPath, ".", true)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 || p.Scope().Lookup("Transport") == nil {
		t.Errorf("%d files were checked and %v declared: is the tag right?", len(files), p.Scope().Names())
	}
}

// TestHandles: rclgo has the unexported fields that handles.go reads by name.
func TestHandles(t *testing.T) {
	c := newChecker(t)
	p, err := c.Import(rclgoPath)
	if err != nil {
		t.Fatal(err)
	}
	_, files, err := c.check(ownPath, ".", true)
	if err != nil {
		t.Fatal(err)
	}
	owners := map[string]string{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if fn, ok := n.(*ast.FuncDecl); ok {
				collectHandle(fn, owners)
			}
			return true
		})
	}
	if len(owners) != 6 {
		t.Errorf("handles.go reads %v, want 6 fields", owners)
	}
	for owner, field := range owners {
		s, ok := p.Scope().Lookup(owner).Type().Underlying().(*types.Struct)
		if !ok {
			t.Fatalf("rclgo has no struct %s", owner)
		}
		found := false
		for f := range s.Fields() {
			found = found || f.Name() == field
		}
		if !found {
			t.Errorf("rclgo's %s has no field %s", owner, field)
		}
	}
}

// collectHandle records the type and field name that a function like contextHandle reads.
func collectHandle(fn *ast.FuncDecl, owners map[string]string) {
	if !strings.HasSuffix(fn.Name.Name, "Handle") || fn.Body == nil {
		return
	}
	pointer, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return
	}
	owner, ok := pointer.X.(*ast.SelectorExpr)
	if !ok || fmt.Sprint(owner.X) != tag {
		return
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			owners[owner.Sel.Name] = strings.Trim(lit.Value, `"`)
		}
		return true
	})
}

// TestUsersTypeCheck: the tests that use the transport type-check, too.
func TestUsersTypeCheck(t *testing.T) {
	_, files, err := newChecker(t).check("github.com/epuck-ros2/epuck-driver/ros2/conformance", "../conformance", true)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 4 {
		t.Errorf("only %d files were checked", len(files))
	}
}

// TestCheckerFindsErrors: a call of a missing function, and one with too few arguments, are found.
func TestCheckerFindsErrors(t *testing.T) {
	for _, body := range []string{"rclgo.Publish(nil)", "rclgo.ParseArgs()", "var _ int = rclgo.GetLogger(\"\")"} {
		dir := t.TempDir()
		source := "//go:build rclgo\n\npackage rot\n\nimport \"" + rclgoPath + "\"\n\nfunc f() { " + body + " }\n"
		if err := os.WriteFile(filepath.Join(dir, "rot.go"), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := newChecker(t).check("rot", dir, false); err == nil {
			t.Errorf("%s is taken for good", body)
		}
	}
}
