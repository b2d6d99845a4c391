// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"strings"
	"testing"
)

// TestNoInitAndNoPanic keeps start-up explicit and bad input an error: no init functions, no panic calls in the
// program. Package task passes on the panics of other goroutines.
func TestNoInitAndNoPanic(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || s.folder == "internal/task" {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init() registers behind the reader's back; wire it in main", s.path)
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" {
					t.Errorf("%s:%d: panic", s.path, s.fset.Position(n.Pos()).Line)
				}
			}
			return true
		})
	}
}

// TestNothingIsLeftForLater: what is not done is an issue, not a comment.
func TestNothingIsLeftForLater(t *testing.T) {
	marks := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X"}
	for _, s := range sources(t) {
		for _, group := range s.ast.Comments {
			for _, mark := range marks {
				if strings.Contains(group.Text(), mark) {
					t.Errorf("%s:%d: %s", s.path, s.fset.Position(group.Pos()).Line, mark)
				}
			}
		}
	}
}
