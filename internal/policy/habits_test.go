// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"testing"
)

// TestNoInitAndNoPanic keeps start-up explicit and bad input an error: no init functions, no panic calls in the
// program. Package task passes on the panics of other goroutines, and pagefault those that are not of an access to
// memory.
func TestNoInitAndNoPanic(t *testing.T) {
	for _, s := range sources(t) {
		if s.Test || s.Folder == "internal/task" || s.Folder == "internal/pagefault" {
			continue
		}
		ast.Inspect(s.AST, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init() registers behind the reader's back; wire it in main", s.Path)
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" {
					t.Errorf("%s:%d: panic", s.Path, s.Fset.Position(n.Pos()).Line)
				}
			}
			return true
		})
	}
}
