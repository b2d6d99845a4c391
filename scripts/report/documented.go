// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/policy"
)

// topmost are the folders whose packages other programs do not import.
var topmost = []string{"cmd", "deploy", "docs", "scripts", "examples"}

// withoutExample returns the public packages without an Example. That of driver is of the packages below it, too.
func (t *tree) withoutExample() (list []string) {
	for _, p := range t.packages {
		top, _, _ := strings.Cut(p.Folder, "/")
		public := p.Exports && !p.Main && !slices.Contains(strings.Split(p.Folder, "/"), "internal") &&
			!slices.Contains(topmost, top) && !strings.HasPrefix(p.Folder, "driver/")
		if public && !p.Example {
			list = append(list, p.Folder)
		}
	}
	return list
}

// undocumentedExports returns the number of exported names and those without a comment.
func (t *tree) undocumentedExports() (exported int, without []string) {
	for _, s := range t.sources {
		if s.Test {
			continue
		}
		for _, d := range s.AST.Decls {
			n, missing := policy.ExportedNames(d)
			exported += n
			for _, id := range missing {
				without = append(without, s.Place(id.Pos())+": "+id.Name)
			}
		}
	}
	return exported, without
}

// withoutPackageComment returns the packages that have none or several package comments.
func (t *tree) withoutPackageComment() (list []string) {
	comments := map[string]int{}
	for _, s := range t.sources {
		if s.Test {
			continue
		}
		n := comments[s.Folder]
		if s.AST.Doc != nil {
			n++
		}
		comments[s.Folder] = n
	}
	for _, folder := range slices.Sorted(maps.Keys(comments)) {
		if n := comments[folder]; n != 1 {
			list = append(list, fmt.Sprintf("%s: %d package comments", folder, n))
		}
	}
	return list
}

// leftForLater returns the comments about work that is not done.
func (t *tree) leftForLater() (list []string) {
	marks := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X"}
	for _, s := range t.sources {
		for _, group := range s.AST.Comments {
			for _, mark := range marks {
				if strings.Contains(group.Text(), mark) {
					list = append(list, s.Place(group.Pos())+": "+mark)
				}
			}
		}
	}
	return list
}

// flagTypes are the beginnings of the names of pflag's methods that declare a flag.
var flagTypes = []string{
	"Bool", "String", "Int", "Uint", "Float", "Duration", "Count", "Var", "IP", "Bytes", "Text", "Time", "Func",
}

// flags returns the places at which the programs declare flags.
func (t *tree) flags() (list []string) {
	for _, s := range t.sources {
		if s.Test || !policy.Under(s.Folder, "cmd") && !policy.Under(s.Folder, "ros2/shell") {
			continue
		}
		ast.Inspect(s.AST, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if name := flagName(c); name != "" {
					list = append(list, s.Place(c.Pos())+": --"+name)
				}
			}
			return true
		})
	}
	return list
}

// flagName returns the name of the flag that a call declares: a method of the kind of StringVar(&v, "name", …, "help")
// or String("name", …, "help").
func flagName(c *ast.CallExpr) string {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) < 3 || !slices.ContainsFunc(flagTypes, func(t string) bool { return strings.HasPrefix(sel.Sel.Name, t) }) {
		return ""
	}
	at := 0
	if strings.Contains(sel.Sel.Name, "Var") {
		at = 1
	}
	if lit, ok := c.Args[at].(*ast.BasicLit); ok && lit.Kind == token.STRING {
		return strings.Trim(lit.Value, "\"`")
	}
	return ""
}
