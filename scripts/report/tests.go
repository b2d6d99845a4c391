// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/policy"
)

// kinds are the suites of tests.
var kinds = []string{policy.Gate, "peers", "system", "long", "vm", "rclgo"}

// testCounts are the tests of one suite: the places of the functions, and the files.
type testCounts struct{ functions, files []string }

// tests returns the tests by suite.
func (t *tree) tests() map[string]*testCounts {
	all := map[string]*testCounts{}
	for _, kind := range kinds {
		all[kind] = &testCounts{}
	}
	for _, s := range t.sources {
		if !s.Test {
			continue
		}
		c := all[policy.Suite(s.AST)]
		c.files = append(c.files, s.Path)
		c.functions = append(c.functions, declared(s, "Test")...)
	}
	return all
}

// fuzzTargets returns the places of all fuzz targets.
func (t *tree) fuzzTargets() (list []string) {
	for _, s := range t.sources {
		if s.Test {
			list = append(list, declared(s, "Fuzz")...)
		}
	}
	return list
}

// declared returns the functions of a file of tests that begin with a prefix; TestMain is no test.
func declared(s policy.Source, prefix string) (list []string) {
	for _, d := range s.AST.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, prefix) && f.Name.Name != "TestMain" {
			list = append(list, s.Place(f.Pos())+": "+f.Name.Name)
		}
	}
	return list
}

// testPackages returns the folders with tests.
func (t *tree) testPackages() []string {
	var list []string
	for _, p := range t.packages {
		if p.Tests {
			list = append(list, p.Folder)
		}
	}
	return list
}

// gateFaults returns what tests of the gate do that can fail without a fault of the code.
func (t *tree) gateFaults() (list []string) {
	for _, f := range policy.GateFaults(t.sources) {
		if policy.GateExceptions[f.Path] == "" {
			list = append(list, f.String())
		}
	}
	return list
}

// gateExceptions returns the exceptions of the gate with their reasons, and which of them nothing needs.
func (t *tree) gateExceptions() (list []string) {
	needed := map[string]bool{}
	for _, f := range policy.GateFaults(t.sources) {
		needed[f.Path] = true
	}
	for path, why := range policy.GateExceptions {
		if !needed[path] {
			why += " (not needed any more)"
		}
		list = append(list, path+": "+why)
	}
	return list
}
