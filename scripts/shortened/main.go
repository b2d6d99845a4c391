// SPDX-License-Identifier: Apache-2.0

// Command shortened prints a pattern for go test -run of all tests that -short skips or shortens: those that call
// testing.Short, also through helpers of the same folder. The nightly run does not repeat the others.
//
//	go run ./scripts/shortened ./fleet ./web
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	var names []string
	for _, folder := range os.Args[1:] {
		tests, err := shortened(folder)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		names = append(names, tests...)
	}
	if len(names) == 0 {
		fmt.Fprintln(os.Stderr, "shortened: no test calls testing.Short")
		os.Exit(1)
	}
	slices.Sort(names)
	fmt.Printf("^(%s)$\n", strings.Join(slices.Compact(names), "|"))
}

// shortened returns the names of a folder's tests that call testing.Short.
func shortened(folder string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	calls := map[string]map[string]bool{} // the names that each function or method mentions
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				mention(calls, f)
			}
		}
	}
	const short = "testing.Short"
	reached := map[string]bool{short: true}
	for before := 0; before < len(reached); {
		before = len(reached)
		for name, mentioned := range calls {
			for other := range mentioned {
				if reached[other] {
					reached[name] = true
				}
			}
		}
	}
	var tests []string
	for name := range reached {
		if strings.HasPrefix(name, "Test") && name != "TestMain" {
			tests = append(tests, name)
		}
	}
	return tests, nil
}

// mention adds the names that a function's body mentions. A method counts by its name alone, whichever its type.
func mention(calls map[string]map[string]bool, f *ast.FuncDecl) {
	if f.Body == nil {
		return
	}
	name := f.Name.Name
	if calls[name] == nil {
		calls[name] = map[string]bool{}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "testing" {
				calls[name]["testing."+n.Sel.Name] = true
				return false
			}
			calls[name][n.Sel.Name] = true
		case *ast.Ident:
			calls[name][n.Name] = true
		}
		return true
	})
}
