// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/token"
	"strconv"
	"time"
)

// units are the constants of package time.
var units = map[string]float64{
	"Nanosecond": 1, "Microsecond": float64(time.Microsecond), "Millisecond": float64(time.Millisecond),
	"Second": float64(time.Second), "Minute": float64(time.Minute), "Hour": float64(time.Hour),
}

// constants are the expressions of a package's constants, by name.
type constants map[string]ast.Expr

// newConstants collects the constants at package level that have an expression of their own.
func newConstants(files []Source) constants {
	all := constants{}
	for _, s := range files {
		for _, d := range s.AST.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				for _, spec := range g.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						all.add(v)
					}
				}
			}
		}
	}
	return all
}

func (c constants) add(v *ast.ValueSpec) {
	for i, name := range v.Names {
		if i < len(v.Values) {
			c[name.Name] = v.Values[i]
		}
	}
}

// duration evaluates an expression of literals, the units of package time and the constants; false if it has something
// else in it.
func (c constants) duration(e ast.Expr) (time.Duration, bool) {
	v, ok := c.value(e, 0)
	return time.Duration(v), ok
}

func (c constants) value(e ast.Expr, depth int) (float64, bool) {
	if depth > 20 {
		return 0, false
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		v, err := strconv.ParseFloat(e.Value, 64)
		return v, err == nil
	case *ast.ParenExpr:
		return c.value(e.X, depth+1)
	case *ast.UnaryExpr:
		v, ok := c.value(e.X, depth+1)
		return -v, ok && e.Op == token.SUB
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		v, known := units[e.Sel.Name]
		return v, ok && known && x.Name == "time"
	case *ast.CallExpr:
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Duration" && len(e.Args) == 1 {
			return c.value(e.Args[0], depth+1)
		}
	case *ast.Ident:
		if e.Obj != nil && e.Obj.Kind != ast.Con { // a variable of the same name
			return 0, false
		}
		if e.Obj != nil {
			if v, ok := e.Obj.Decl.(*ast.ValueSpec); ok && len(v.Values) == 1 && len(v.Names) == 1 {
				return c.value(v.Values[0], depth+1)
			}
		}
		if def := c[e.Name]; def != nil {
			return c.value(def, depth+1)
		}
	case *ast.BinaryExpr:
		return c.binary(e, depth)
	}
	return 0, false
}

func (c constants) binary(e *ast.BinaryExpr, depth int) (float64, bool) {
	x, okX := c.value(e.X, depth+1)
	y, okY := c.value(e.Y, depth+1)
	if !okX || !okY {
		return 0, false
	}
	switch e.Op {
	case token.ADD:
		return x + y, true
	case token.SUB:
		return x - y, true
	case token.MUL:
		return x * y, true
	case token.QUO:
		return x / y, y != 0
	}
	return 0, false
}
