// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/parser"
	"path"
	"slices"
	"testing"
)

// levelPackages are the packages of the levels below sim; each has the levels' type Robot, and dynamics behind it.
var levelPackages = []string{"functional", "firmware", "articulated"}

// TestNoTypeSwitchOverLevelsOfRobots: what is done with a simulated robot depends on what it can do: on the methods of
// sim.Robot, of plant.Plant, or of a small interface. Otherwise each new level changes all that handles robots. To choose
// robots by their type, sim.RobotsOf[*sim.Firmware], is the same question; sim.RobotsOf of an interface is not.
func TestNoTypeSwitchOverLevelsOfRobots(t *testing.T) {
	for _, s := range sources(t) {
		if s.Test {
			continue
		}
		ast.Inspect(s.AST, func(n ast.Node) bool {
			for _, e := range typesAskedFor(n) {
				if name := robotLevel(e, s.Folder); name != "" {
					t.Errorf("%s: asks whether a robot is a %s; use a method or an interface", s.Place(e.Pos()), name)
				}
			}
			return true
		})
	}
}

// typesAskedFor returns the types of which a node asks whether a value is of one: those of assertions and type switches,
// and the arguments of generic functions.
func typesAskedFor(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.TypeAssertExpr:
		return []ast.Expr{n.Type} // nil of a type switch
	case *ast.TypeSwitchStmt:
		var types []ast.Expr
		for _, c := range n.Body.List {
			types = append(types, c.(*ast.CaseClause).List...)
		}
		return types
	case *ast.IndexExpr:
		return []ast.Expr{n.Index}
	case *ast.IndexListExpr:
		return n.Indices
	}
	return nil
}

// robotLevel returns the type of a level that an expression in a folder is a pointer to.
func robotLevel(e ast.Expr, folder string) string {
	star, ok := e.(*ast.StarExpr)
	if !ok {
		return ""
	}
	switch of := star.X.(type) {
	case *ast.Ident:
		inLevel := path.Dir(folder) == "sim" && slices.Contains(levelPackages, path.Base(folder))
		if folder == "sim" && simLevel(of.Name) || inLevel && (of.Name == "Robot" || of.Name == "dynamics") {
			return of.Name
		}
	case *ast.SelectorExpr:
		from, named := of.X.(*ast.Ident)
		if named && (from.Name == "sim" && simLevel(of.Sel.Name) || slices.Contains(levelPackages, from.Name) && of.Sel.Name == "Robot") {
			return from.Name + "." + of.Sel.Name
		}
	}
	return ""
}

// simLevel reports whether a type of package sim is that of a level.
func simLevel(name string) bool {
	return name == "Firmware" || name == "Functional" || name == "Articulated"
}

// TestRobotLevel: the rule itself.
func TestRobotLevel(t *testing.T) {
	for _, c := range []struct {
		folder, text string
		want         bool
	}{
		{"fleet", "r.(*sim.Firmware)", true}, {"sim", "r.(*Functional)", true}, {"sim", "r.(*functional.Robot)", true},
		{"cmd", "sim.RobotsOf[*sim.Articulated](s)", true}, {"sim", "RobotOf[*Firmware](s, name)", true},
		{"sim/firmware", "p.(*dynamics)", true}, {"sim/articulated", "p.(*Robot)", true}, {"sim/plant", "p.(*Robot)", false},
		{"fleet", "sim.RobotsOf[driven](s)", false}, {"fleet", "r.(hardware.Chips)", false}, {"fleet", "list[i]", false},
		{"sim", "p.(kernel.Stepper)", false},
	} {
		e, err := parser.ParseExpr(c.text)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			for _, e := range typesAskedFor(n) {
				found = found || robotLevel(e, c.folder) != ""
			}
			return true
		})
		if found != c.want {
			t.Errorf("in %s, %s: %t", c.folder, c.text, found)
		}
	}
}
