// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"slices"
	"strings"
)

// bubbles knows what of a package's tests runs in a bubble of testing/synctest: the literals that are passed to
// synctest.Test or to a helper that passes them to it, and the functions that only they call.
type bubbles struct {
	enters map[string]bool     // by name: functions that run a function they are given in a bubble
	surely map[string]bool     // by name: functions that are called outside of bubbles, too
	called map[string][]string // by name: the functions that mention a function
	files  []Source
}

// newBubbles analyses the tests of one package; entering are functions of other packages that enter bubbles.
func newBubbles(files []Source, entering []string) *bubbles {
	b := &bubbles{enters: map[string]bool{"synctest.Test": true}, files: files}
	for _, name := range entering {
		b.enters[name] = true
	}
	b.findEntering()
	b.called = b.mentions()
	b.findOutside()
	return b
}

// findEntering adds the functions that pass a function on to one that enters a bubble.
func (b *bubbles) findEntering() {
	for changed := true; changed; {
		changed = false
		b.eachFunction(func(f *ast.FuncDecl) {
			if !b.enters[f.Name.Name] && b.passesOn(f) {
				b.enters[f.Name.Name], changed = true, true
			}
		})
	}
}

// onlyCalled returns the functions that are mentioned only where good holds, or in functions of which the same is true.
func (b *bubbles) onlyCalled(good func(by string) bool) map[string]bool {
	// Begin with all that are called at all and drop those that are called elsewhere, until nothing changes.
	only := map[string]bool{}
	b.eachFunction(func(f *ast.FuncDecl) {
		if name := f.Name.Name; !isTest(name) {
			only[name] = len(b.called[name]) > 0
		}
	})
	for changed := true; changed; {
		changed = false
		for name, in := range only {
			if in && slices.ContainsFunc(b.called[name], func(c string) bool { return !good(c) && !only[c] }) {
				only[name], changed = false, true
			}
		}
	}
	return only
}

// use reports whether the package has bubbles at all.
func (b *bubbles) use() bool {
	return len(b.enters) > 1 || slices.ContainsFunc(b.files, func(s Source) bool { return slices.Contains(s.Imports, "testing/synctest") })
}

func isTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

func (b *bubbles) eachFunction(do func(*ast.FuncDecl)) {
	for _, s := range b.files {
		for _, d := range s.AST.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				do(f)
			}
		}
	}
}

// passesOn reports whether f passes one of its own parameters, or a literal that calls it, to a function that enters a
// bubble.
func (b *bubbles) passesOn(f *ast.FuncDecl) bool {
	takesFunction := map[string]bool{}
	for _, p := range f.Type.Params.List {
		if _, is := p.Type.(*ast.FuncType); is {
			for _, n := range p.Names {
				takesFunction[n.Name] = true
			}
		}
	}
	if len(takesFunction) == 0 {
		return false
	}
	passes := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || !b.enters[calledName(c)] {
			return true
		}
		for _, arg := range c.Args {
			ast.Inspect(arg, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				passes = passes || ok && takesFunction[id.Name]
				return true
			})
		}
		return true
	})
	return passes
}

// mentions lists for each name the functions in which it is used, in whatever way.
func (b *bubbles) mentions() map[string][]string {
	all := map[string][]string{}
	b.eachFunction(func(f *ast.FuncDecl) {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !slices.Contains(all[id.Name], f.Name.Name) {
				all[id.Name] = append(all[id.Name], f.Name.Name)
			}
			return true
		})
	})
	return all
}

// findOutside collects the functions that surely run outside of bubbles at times: tests, and what they call by its name
// where they are outside. In a package without bubbles these are all functions. What is in a method, which an interface
// may call in a bubble, or in a function literal that is stored, as in a table, is not sure.
func (b *bubbles) findOutside() {
	b.surely = map[string]bool{}
	for changed := true; changed; {
		changed = false
		b.eachFunction(func(f *ast.FuncDecl) {
			if !b.isOutside(f) {
				return
			}
			b.walkOutside(f, func(n ast.Node) {
				if c, ok := n.(*ast.CallExpr); ok {
					if id, ok := c.Fun.(*ast.Ident); ok && !b.surely[id.Name] {
						b.surely[id.Name], changed = true, true
					}
				}
			})
		})
	}
}

func (b *bubbles) isOutside(f *ast.FuncDecl) bool {
	return !b.use() || f.Recv == nil && (isTest(f.Name.Name) || b.surely[f.Name.Name])
}

// outside calls visit for what surely runs outside of bubbles in a declaration.
func (b *bubbles) outside(d ast.Decl, visit func(ast.Node)) {
	if f, ok := d.(*ast.FuncDecl); ok && b.isOutside(f) || !b.use() {
		b.walkOutside(d, visit)
	}
}

func (b *bubbles) walkOutside(d ast.Decl, visit func(ast.Node)) {
	stored := map[*ast.FuncLit]bool{}
	if b.use() {
		stored = storedLiterals(d)
	}
	var walk func(ast.Node)
	walk = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if l, ok := n.(*ast.FuncLit); ok && stored[l] {
				return false
			}
			if c, ok := n.(*ast.CallExpr); ok && b.enters[calledName(c)] {
				walk(c.Fun)
				return false
			}
			if n != nil {
				visit(n)
			}
			return true
		})
	}
	walk(d)
}

// storedLiterals returns the function literals that are neither called where they are nor passed to a subtest.
func storedLiterals(d ast.Decl) map[*ast.FuncLit]bool {
	stored := map[*ast.FuncLit]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		if l, ok := n.(*ast.FuncLit); ok {
			stored[l] = true
		}
		return true
	})
	ast.Inspect(d, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if l, ok := c.Fun.(*ast.FuncLit); ok {
			delete(stored, l)
		}
		if name := calledName(c); name == "Run" || name == "Cleanup" || name == "Go" || name == "AfterFunc" {
			for _, arg := range c.Args {
				if l, ok := arg.(*ast.FuncLit); ok {
					delete(stored, l)
				}
			}
		}
		return true
	})
	return stored
}

// calledName is the name of the function that is called: f, x.f for a package's, f for a method.
func calledName(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && (x.Name == "time" || x.Name == "synctest") {
			return x.Name + "." + f.Sel.Name
		}
		return f.Sel.Name
	}
	return ""
}
