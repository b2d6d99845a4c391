// SPDX-License-Identifier: Apache-2.0

// Command tests prints which packages have tests of a suite (peers, system or long) and a pattern for go test -run
// of these tests, in two lines.
//
//	go run ./scripts/tests [-not FOLDER]... SUITE [FOLDER]
//
// Tests of peers and system are those of files whose build constraint needs the tag of that name. Tests of long are
// those of files that need the tag long, and those that mention suite.Long, also through helpers of the same folder.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// suites are the build tags of suites.
var suites = []string{"peers", "system", "long"}

// errSuite: there is no such suite, or it has no tests.
var errSuite = errors.New("tests: no tests of suite")

func main() {
	var not []string
	flag.Func("not", "leave out `FOLDER` and what is in it", func(s string) error {
		not = append(not, filepath.Clean(s))
		return nil
	})
	flag.Parse()
	root := "."
	if flag.NArg() == 2 {
		root = flag.Arg(1)
	}
	if flag.NArg() < 1 || flag.NArg() > 2 || !slices.Contains(suites, flag.Arg(0)) {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: tests [-not FOLDER]... %s [FOLDER]\n", strings.Join(suites, "|"))
		os.Exit(2)
	}
	packages, names, err := find(root, flag.Arg(0), not)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(strings.Join(packages, " "))
	fmt.Printf("^(%s)$\n", strings.Join(names, "|"))
}

// find returns the packages below root with tests of a suite, as arguments of go test, and the names of these tests.
func find(root, suite string, not []string) (packages, names []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		folder, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if base := d.Name(); slices.Contains(not, folder) || folder != "." && (base == "testdata" || base == "node_modules" || base[0] == '.' || base[0] == '_') {
			return fs.SkipDir
		}
		tests, err := of(path, suite)
		if err != nil {
			return err
		}
		if len(tests) > 0 {
			packages = append(packages, "./"+filepath.ToSlash(folder))
			names = append(names, tests...)
		}
		return nil
	})
	if err == nil && len(packages) == 0 {
		err = fmt.Errorf("%w %s", errSuite, suite)
	}
	slices.Sort(names)
	return packages, slices.Compact(names), err
}

// of returns the tests of a suite in a folder.
func of(folder, suite string) (tests []string, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	mentions := map[string]map[string]bool{} // the names that each function or method mentions
	for _, path := range paths {
		head, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		needed, built, err := needs(head, suite)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if !built || !needed && suite != "long" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if needed && isTest(f) {
				tests = append(tests, f.Name.Name)
			}
			mention(mentions, f)
		}
	}
	if suite == "long" {
		for name := range reaching(mentions, "suite.Long") {
			if strings.HasPrefix(name, "Test") && name != "TestMain" {
				tests = append(tests, name)
			}
		}
	}
	return tests, nil
}

// isTest reports whether a function is a test, no benchmark and not TestMain.
func isTest(f *ast.FuncDecl) bool {
	return f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain"
}

// needs reports whether a file is built on this project's computers with the tags of all suites, and whether it needs
// the tag of one for that.
func needs(file *ast.File, suite string) (needed, built bool, err error) {
	for _, group := range file.Comments {
		if group.Pos() >= file.Package {
			break
		}
		for _, line := range group.List {
			if !constraint.IsGoBuild(line.Text) {
				continue
			}
			expression, err := constraint.Parse(line.Text)
			if err != nil {
				return false, false, err
			}
			with := func(without string) bool {
				return expression.Eval(func(tag string) bool {
					switch tag {
					case "linux", "unix", "amd64", "cgo", "gc":
						return true
					}
					return tag != without && (slices.Contains(suites, tag) || strings.HasPrefix(tag, "go1."))
				})
			}
			built = with("")
			return built && !with(suite), built, nil
		}
	}
	return false, true, nil
}

// reaching returns the names of all functions that mention a name, also through others.
func reaching(mentions map[string]map[string]bool, name string) map[string]bool {
	reached := map[string]bool{name: true}
	for before := 0; before < len(reached); {
		before = len(reached)
		for f, mentioned := range mentions {
			for other := range mentioned {
				if reached[other] {
					reached[f] = true
				}
			}
		}
	}
	return reached
}

// mention adds the names that a function's body mentions. A method counts by its name alone, whichever its type.
func mention(mentions map[string]map[string]bool, f *ast.FuncDecl) {
	if f.Body == nil {
		return
	}
	name := f.Name.Name
	if mentions[name] == nil {
		mentions[name] = map[string]bool{}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "suite" {
				mentions[name]["suite."+n.Sel.Name] = true
				return false
			}
			mentions[name][n.Sel.Name] = true
		case *ast.Ident:
			mentions[name][n.Name] = true
		}
		return true
	})
}
