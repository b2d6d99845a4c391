// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/policy"
)

// declare adds the exported names of a file.
func (x exports) declare(s policy.Source) {
	add := func(receiver string, id *ast.Ident) {
		if id.IsExported() && !s.Gen && (receiver == "" || ast.IsExported(receiver)) {
			x.declared[export{s.Folder, receiver, id.Name}] = s.Place(id.Pos())
		}
	}
	for _, d := range s.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(receiverName(d), d.Name)
			if d.Name.IsExported() {
				x.addTypes(s.Folder, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				x.declareSpec(s.Folder, d.Tok, spec, func(id *ast.Ident) { add("", id) })
			}
		}
	}
}

// declareSpec adds the names that a type or a line of constants or variables declares, and the types that it shows.
func (x exports) declareSpec(folder string, tok token.Token, spec ast.Spec, add func(*ast.Ident)) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		add(spec.Name)
		if spec.Name.IsExported() {
			x.addTypes(folder, spec.Type)
		}
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			add(id)
			if spec.Type != nil && id.IsExported() && tok == token.VAR {
				x.addTypes(folder, spec.Type)
			}
		}
	}
}

// addTypes adds the types that an exported declaration shows: those of unexported fields are not shown.
func (x exports) addTypes(folder string, shown ast.Node) {
	ast.Inspect(shown, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if len(n.Names) > 0 && !slices.ContainsFunc(n.Names, (*ast.Ident).IsExported) {
				if _, isFunction := shown.(*ast.FuncType); !isFunction {
					return false
				}
			}
		case *ast.Ident:
			if n.IsExported() {
				x.api[export{folder, "", n.Name}] = true
			}
		}
		return true
	})
}

// collectUses adds what a file names of other packages, and what its Examples name of their own.
func (x exports) collectUses(s policy.Source) {
	imported := map[string]string{}
	for i, spec := range s.AST.Imports {
		folder, isOwn := strings.CutPrefix(s.Imports[i], policy.Module+"/")
		if !isOwn {
			continue
		}
		name := path.Base(folder)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = folder
	}
	for _, d := range s.AST.Decls {
		f, isFunction := d.(*ast.FuncDecl)
		example := s.Test && isFunction && strings.HasPrefix(f.Name.Name, "Example") || s.Test && strings.HasPrefix(path.Base(s.Path), "example")
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				x.useSelector(n, s.Folder, imported, example)
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					for _, id := range m.Names {
						x.selectName(id.Name, "an interface")
					}
				}
			}
			return true
		})
	}
}

// useSelector adds the use of a name behind a dot, in an Example or elsewhere in a folder.
func (x exports) useSelector(n *ast.SelectorExpr, folder string, imported map[string]string, example bool) {
	from := folder
	if example {
		from += " Example"
	}
	x.selectName(n.Sel.Name, from)
	if id, ok := n.X.(*ast.Ident); ok && imported[id.Name] != "" && (imported[id.Name] != folder || example) {
		x.qualified[export{imported[id.Name], "", n.Sel.Name}] = true
	}
}

func (x exports) selectName(name, folder string) {
	if x.selected[name] == nil {
		x.selected[name] = map[string]bool{}
	}
	x.selected[name][folder] = true
}

// receiverName returns the name of the type that a method belongs to; empty for a function.
func receiverName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch r := t.(type) {
		case *ast.StarExpr:
			t = r.X
		case *ast.IndexExpr:
			t = r.X
		case *ast.IndexListExpr:
			t = r.X
		case *ast.Ident:
			return r.Name
		default:
			return ""
		}
	}
}
