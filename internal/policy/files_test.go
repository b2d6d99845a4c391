// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

const (
	licenceLine  = "// SPDX-License-Identifier: Apache-2.0"
	maxFileLines = 400 // a file is one concept
	maxFuncLines = 80  // a function fits a screen; most are far shorter
	longFunc     = 60  // and hardly any is longer than this …
	maxLongShare = 0.015
	minDocShare  = 0.95
)

func TestFilesCarryTheirLicence(t *testing.T) {
	for _, s := range sources(t) {
		if s.text[0] != licenceLine && !(s.gen && len(s.text) > 2 && strings.Contains(strings.Join(s.text[:4], "\n"), licenceLine)) {
			t.Errorf("%s: the first line is not %q", s.path, licenceLine)
		}
	}
}

func TestPackagesHaveOneDocumentation(t *testing.T) {
	docs, folders := map[string][]string{}, map[string]bool{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		folders[s.folder] = true
		if s.ast.Doc != nil {
			docs[s.folder] = append(docs[s.folder], s.path)
		}
	}
	for folder := range folders {
		if n := len(docs[folder]); n != 1 {
			t.Errorf("package %s has %d package comments, not 1: %v", folder, n, docs[folder])
		}
	}
}

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	functions, long := 0, 0
	for _, s := range sources(t) {
		if s.gen || s.test {
			continue
		}
		if len(s.text) > maxFileLines {
			t.Errorf("%s has %d lines, more than %d", s.path, len(s.text), maxFileLines)
		}
		for _, decl := range s.ast.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			functions++
			n := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
			if n > longFunc {
				long++
			}
			if n > maxFuncLines {
				t.Errorf("%s: %s has %d lines, more than %d", s.path, f.Name.Name, n, maxFuncLines)
			}
		}
	}
	if share := float64(long) / float64(functions); share > maxLongShare {
		t.Errorf("%d of %d functions are longer than %d lines: %.1f %%", long, functions, longFunc, share*100)
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	exported, documented := 0, 0
	for _, s := range sources(t) {
		if s.test || s.folder == "cmd/epuck-driver" {
			continue
		}
		for _, decl := range s.ast.Decls {
			e, d := documentedNames(decl)
			exported, documented = exported+e, documented+d
			if e > d && testing.Verbose() {
				t.Logf("%s:%d", s.path, s.fset.Position(decl.Pos()).Line)
			}
		}
	}
	if share := float64(documented) / float64(exported); share < minDocShare {
		t.Errorf("%d of %d exported names have a comment: %.1f %%, less than %.0f %% (-v lists the places)",
			documented, exported, share*100, minDocShare*100)
	}
}

// documentedNames counts the exported names a declaration makes and those with a comment.
func documentedNames(decl ast.Decl) (exported, documented int) {
	count := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		if !name.IsExported() {
			return
		}
		exported++
		for _, d := range docs {
			if d != nil {
				documented++
				return
			}
		}
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || receiverExported(d.Recv) {
			count(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				count(s.Name, s.Doc, s.Comment, d.Doc)
			case *ast.ValueSpec:
				if d.Tok == token.CONST || d.Tok == token.VAR {
					for _, n := range s.Names {
						count(n, s.Doc, s.Comment, d.Doc)
					}
				}
			}
		}
	}
	return exported, documented
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
