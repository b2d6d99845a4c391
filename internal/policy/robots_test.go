// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"testing"
)

// TestNoTypeSwitchOverLevelsOfRobots: what is done with a simulated robot depends on what it can do: on the methods of
// sim.Robot, of sim's plant, or of a small interface. Otherwise each new level changes all that handles robots.
func TestNoTypeSwitchOverLevelsOfRobots(t *testing.T) {
	for _, s := range sources(t) {
		if s.Test {
			continue
		}
		ast.Inspect(s.AST, func(n ast.Node) bool {
			var types []ast.Expr
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				types = []ast.Expr{n.Type} // nil of a type switch
			case *ast.TypeSwitchStmt:
				for _, c := range n.Body.List {
					types = append(types, c.(*ast.CaseClause).List...)
				}
			}
			for _, e := range types {
				if name := robotLevel(e, s.Folder == "sim"); name != "" {
					t.Errorf("%s: asks whether a robot is a %s; use a method or an interface", s.Place(e.Pos()), name)
				}
			}
			return true
		})
	}
}

// robotLevel returns the type of a level that an expression, in package sim or outside of it, is a pointer to.
func robotLevel(e ast.Expr, inSim bool) string {
	star, ok := e.(*ast.StarExpr)
	if !ok {
		return ""
	}
	id, ok := star.X.(*ast.Ident)
	if !inSim {
		var of *ast.SelectorExpr
		if of, ok = star.X.(*ast.SelectorExpr); ok {
			if from, named := of.X.(*ast.Ident); !named || from.Name != "sim" {
				return ""
			}
			id = of.Sel
		}
	}
	if ok && (id.Name == "Firmware" || id.Name == "Functional" || id.Name == "Articulated") {
		return id.Name
	}
	return ""
}
