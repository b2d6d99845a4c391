// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"slices"

	"github.com/epuck-ros2/epuck-driver/internal/policy"
)

// size counts a type's fields (embedded ones too) and methods.
type size struct{ fields, methods int }

// largestTypes returns the types of hand-written files without tests, counted across the files of a package, the
// largest first.
func (t *tree) largestTypes() (largest int, list []string) {
	sizes := map[string]size{}
	for _, s := range t.sources {
		if !s.Test && !s.Gen {
			addSizes(s, sizes)
		}
	}
	names := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int {
		x, y := sizes[a], sizes[b]
		return cmp.Or(cmp.Compare(y.fields+y.methods, x.fields+x.methods), cmp.Compare(a, b))
	})
	for i, name := range names {
		n := sizes[name]
		if i == 0 {
			largest = n.fields + n.methods
		}
		if i < listed {
			list = append(list, fmt.Sprintf("%4d = %d fields + %d methods: %s", n.fields+n.methods, n.fields, n.methods, name))
		}
	}
	return largest, list
}

func addSizes(s policy.Source, sizes map[string]size) {
	for _, d := range s.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if receiver := receiverName(d); receiver != "" {
				n := sizes[s.Folder+"."+receiver]
				n.methods++
				sizes[s.Folder+"."+receiver] = n
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					n := sizes[s.Folder+"."+spec.Name.Name]
					n.fields = countFields(spec.Type)
					sizes[s.Folder+"."+spec.Name.Name] = n
				}
			}
		}
	}
}

func countFields(t ast.Expr) (n int) {
	if structure, ok := t.(*ast.StructType); ok {
		for _, f := range structure.Fields.List {
			n += max(1, len(f.Names))
		}
	}
	return n
}
