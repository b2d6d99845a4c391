// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// Package is what the rules ask of a package.
type Package struct {
	Folder          string
	Code, Tests     bool // it has files that are no tests, and files that are
	Main            bool // it is a program
	Exports         bool // hand-written files export names
	Decodes         bool // it exports a function that parses bytes
	Example, Fuzzed bool // it has an Example, a fuzz target
}

// Packages describes every package, in the order of their folders.
func Packages(sources []Source) []Package {
	all := map[string]Package{}
	for _, s := range sources {
		p := all[s.Folder]
		p.Folder = s.Folder
		p.Tests = p.Tests || s.Test
		p.Code = p.Code || !s.Test
		p.Main = p.Main || !s.Test && s.AST.Name.Name == "main"
		for _, decl := range s.AST.Decls {
			f, isFunction := decl.(*ast.FuncDecl)
			switch {
			case s.Test && isFunction:
				p.Example = p.Example || strings.HasPrefix(f.Name.Name, "Example")
				p.Fuzzed = p.Fuzzed || strings.HasPrefix(f.Name.Name, "Fuzz")
			case !s.Test && !s.Gen:
				exported, _ := ExportedNames(decl)
				p.Exports = p.Exports || exported > 0
				p.Decodes = p.Decodes || isFunction && decodesBytes(f)
			}
		}
		all[s.Folder] = p
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Package) int { return strings.Compare(a.Folder, b.Folder) })
}

// decodesBytes reports whether a function is exported and turns bytes into something.
func decodesBytes(f *ast.FuncDecl) bool {
	named := slices.ContainsFunc([]string{"Parse", "Decode", "Unmarshal"}, func(verb string) bool {
		return strings.HasPrefix(f.Name.Name, verb)
	})
	if !named || len(f.Type.Params.List) == 0 {
		return false
	}
	array, ok := f.Type.Params.List[0].Type.(*ast.ArrayType)
	if !ok || array.Len != nil {
		return false
	}
	elem, ok := array.Elt.(*ast.Ident)
	return ok && elem.Name == "byte"
}

// ExportedNames counts the exported names that a declaration makes, and returns those without a comment.
func ExportedNames(decl ast.Decl) (exported int, without []*ast.Ident) {
	count := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		if !name.IsExported() {
			return
		}
		exported++
		for _, d := range docs {
			if d != nil {
				return
			}
		}
		without = append(without, name)
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || receiverExported(d.Recv) {
			count(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			names, docs := specNames(spec)
			for _, n := range names {
				count(n, append(docs, d.Doc)...)
			}
		}
	}
	return exported, without
}

// specNames returns the names that a type or a line of constants or variables declares, and its comments.
func specNames(spec ast.Spec) (names []*ast.Ident, docs []*ast.CommentGroup) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{s.Name}, []*ast.CommentGroup{s.Doc, s.Comment}
	case *ast.ValueSpec:
		return s.Names, []*ast.CommentGroup{s.Doc, s.Comment}
	}
	return nil, nil
}

// receiverExported reports whether a method belongs to an exported type.
func receiverExported(recv *ast.FieldList) bool {
	expr := recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return false
		}
	}
}
