// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxUnusedExports is the largest number of exported names that no other package uses. The number only goes down.
const maxUnusedExports = 91

// TestExportedNamesAreUsed: functions, types, constants and variables at package level, and methods of exported types,
// of the hand-written public packages that are no program. A name is used if
//   - a file of another folder, of tests too, names it behind the package's name (a method: behind any dot),
//   - an Example of its own package does, or a document does as package.Name,
//   - it is a method that an interface of the project or one of standardMethods has,
//   - it is a type in the signature or in an exported field of another exported name.
func TestExportedNamesAreUsed(t *testing.T) {
	all := collectExports(t)
	var unused []string
	for _, e := range slices.SortedFunc(maps.Keys(all.declared), func(a, b export) int { return strings.Compare(a.String(), b.String()) }) {
		if !all.used(e) {
			unused = append(unused, all.declared[e]+" "+e.String())
		}
	}
	t.Logf("%d exported names, %d that no other package uses", len(all.declared), len(unused))
	if len(all.declared) < 1000 {
		t.Error("the search is broken")
	}
	if len(unused) > maxUnusedExports {
		t.Errorf("%d exported names that no other package, Example or document uses, more than %d:\n%s",
			len(unused), maxUnusedExports, strings.Join(unused, "\n"))
	}
	if len(unused) < maxUnusedExports-40 {
		t.Errorf("%d unused exported names: lower maxUnusedExports from %d", len(unused), maxUnusedExports)
	}
}

// export is one exported name: a method has its receiver's type.
type export struct{ folder, receiver, name string }

func (e export) String() string {
	if e.receiver != "" {
		return e.folder + "." + e.receiver + "." + e.name
	}
	return e.folder + "." + e.name
}

// standardMethods are methods of interfaces of the standard library and of package yaml.
var standardMethods = []string{
	"Error", "Is", "As", "Unwrap", "String", "Read", "Write", "Close", "Len", "Less", "Swap", "ServeHTTP", "Set", "Type", "LogValue", "Seek",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "UnmarshalYAML", "Format", "Open", "Enabled", "Handle", "WithAttrs", "WithGroup",
}

// exports are the declared names with their places, and how they are used.
type exports struct {
	declared  map[export]string
	qualified map[export]bool            // package.Name of other folders and of Examples
	selected  map[string]map[string]bool // names behind a dot, by the folder in which they are
	api       map[export]bool            // types of exported signatures and fields
	documents map[string]bool            // package.Name of documents
}

func (x exports) used(e export) bool {
	if e.receiver == "" {
		return x.qualified[e] || x.api[e] || x.documents[path.Base(e.folder)+"."+e.name]
	}
	if slices.Contains(standardMethods, e.name) {
		return true
	}
	for folder := range x.selected[e.name] {
		if folder != e.folder {
			return true
		}
	}
	return false
}

func collectExports(t *testing.T) exports {
	x := exports{map[export]string{}, map[export]bool{}, map[string]map[string]bool{}, map[export]bool{}, documentedExports(t)}
	public := map[string]bool{}
	for _, p := range packages(t) {
		public[p.folder] = !p.main && !slices.Contains(strings.Split(p.folder, "/"), "internal")
	}
	for _, s := range sources(t) {
		if public[s.folder] && !s.test {
			x.declare(s)
		}
		x.collectUses(s)
	}
	return x
}

// documentedExports returns each package.Name of the documents.
func documentedExports(t *testing.T) map[string]bool {
	found := map[string]bool{}
	for _, document := range documents(t) {
		text, err := os.ReadFile("../../" + document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\b[a-z][a-z0-9_]*\.[A-Z]\w*`).FindAll(text, -1) {
			found[string(m)] = true
		}
	}
	return found
}

// declare adds the exported names of a file.
func (x exports) declare(s source) {
	add := func(receiver string, id *ast.Ident) {
		if id.IsExported() && !s.gen && (receiver == "" || ast.IsExported(receiver)) {
			x.declared[export{s.folder, receiver, id.Name}] = place(s.path, s.fset.Position(id.Pos()).Line)
		}
	}
	for _, d := range s.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			receiver := receiverName(d)
			add(receiver, d.Name)
			if d.Name.IsExported() {
				x.addTypes(s.folder, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add("", spec.Name)
					if spec.Name.IsExported() {
						x.addTypes(s.folder, spec.Type)
					}
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add("", id)
						if spec.Type != nil && id.IsExported() && d.Tok.String() == "var" {
							x.addTypes(s.folder, spec.Type)
						}
					}
				}
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
func (x exports) collectUses(s source) {
	imported := map[string]string{}
	for i, spec := range s.ast.Imports {
		folder, isOwn := strings.CutPrefix(s.imports[i], module+"/")
		if !isOwn {
			continue
		}
		name := path.Base(folder)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = folder
	}
	for _, d := range s.ast.Decls {
		f, isFunction := d.(*ast.FuncDecl)
		example := s.test && isFunction && strings.HasPrefix(f.Name.Name, "Example") || s.test && strings.HasPrefix(path.Base(s.path), "example")
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				from := s.folder
				if example {
					from += " Example"
				}
				x.selectName(n.Sel.Name, from)
				if id, ok := n.X.(*ast.Ident); ok && imported[id.Name] != "" && (imported[id.Name] != s.folder || example) {
					x.qualified[export{imported[id.Name], "", n.Sel.Name}] = true
				}
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
