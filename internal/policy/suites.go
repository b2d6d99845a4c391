// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"go/build/constraint"
	"slices"
)

// Gate is the suite of the tests without a build tag: make test runs it, and it decides whether a change is taken.
const Gate = "gate"

// suiteTags are the build tags of the other suites; the first one that a file needs names its suite.
var suiteTags = []string{"long", "system", "peers", "vm", "rclgo"}

// Suite returns the suite that a file belongs to: the first tag of suiteTags without which the file is not compiled, or
// Gate.
func Suite(f *ast.File) string {
	expr := buildConstraint(f)
	if expr == nil || satisfiable(expr, suiteTags) {
		return Gate
	}
	for _, tag := range suiteTags {
		if !satisfiable(expr, []string{tag}) {
			return tag
		}
	}
	return suiteTags[0]
}

// buildConstraint returns the expression of the //go:build line; nil if the file has none.
func buildConstraint(f *ast.File) constraint.Expr {
	for _, group := range f.Comments {
		if group.Pos() >= f.Package {
			break
		}
		for _, c := range group.List {
			if constraint.IsGoBuild(c.Text) {
				if expr, err := constraint.Parse(c.Text); err == nil {
					return expr
				}
			}
		}
	}
	return nil
}

// satisfiable reports whether an expression can be true while the tags in unset are not set.
func satisfiable(expr constraint.Expr, unset []string) bool {
	var free []string
	collectTags(expr, &free)
	free = slices.DeleteFunc(free, func(tag string) bool { return slices.Contains(unset, tag) })
	for bits := range 1 << len(free) {
		set := func(tag string) bool {
			i := slices.Index(free, tag)
			return i >= 0 && bits>>i&1 == 1
		}
		if expr.Eval(set) {
			return true
		}
	}
	return false
}

func collectTags(expr constraint.Expr, tags *[]string) {
	switch e := expr.(type) {
	case *constraint.TagExpr:
		if !slices.Contains(*tags, e.Tag) {
			*tags = append(*tags, e.Tag)
		}
	case *constraint.NotExpr:
		collectTags(e.X, tags)
	case *constraint.AndExpr:
		collectTags(e.X, tags)
		collectTags(e.Y, tags)
	case *constraint.OrExpr:
		collectTags(e.X, tags)
		collectTags(e.Y, tags)
	}
}
