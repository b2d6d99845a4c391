// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"testing"
)

// systemNames are the files that use the name of the operating system, and why.
var systemNames = map[string]string{
	"cmd/epuck-driver/internal/build/version.go": "epuck-driver version prints it",
}

// TestSystemsAreDistinguishedByFiles: what differs by operating system is in files named for it (_linux.go,
// _windows.go, _darwin.go, _unix.go, _other.go), which the compiler checks for each, and not in conditions.
func TestSystemsAreDistinguishedByFiles(t *testing.T) {
	for _, f := range sources(t) {
		if f.Test {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "GOOS" {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); !ok || pkg.Name != "runtime" {
				return true
			}
			if systemNames[f.Path] == "" {
				t.Errorf("%s uses runtime.GOOS: write files named for the systems instead", f.Path)
			}
			return true
		})
	}
}
