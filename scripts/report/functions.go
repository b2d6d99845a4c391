// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
)

// longFile is the number of lines beyond which a file is listed.
const longFile = 400

// function is a function of hand-written code and its number of lines.
type function struct {
	place, name string
	lines       int
}

// functions returns all functions, the longest first.
func (t *tree) functions() (all []function) {
	for _, s := range t.sources {
		if s.Gen || s.Test {
			continue
		}
		for _, d := range s.AST.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				all = append(all, function{s.Place(f.Pos()), f.Name.Name, s.Line(f.End()) - s.Line(f.Pos()) + 1})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b function) int { return cmp.Compare(b.lines, a.lines) })
	return all
}

// percentile returns the length that a share of the functions does not exceed.
func percentile(longestFirst []function, share float64) int {
	if len(longestFirst) == 0 {
		return 0
	}
	return longestFirst[int(float64(len(longestFirst)-1)*(1-share))].lines
}

func longest(longestFirst []function) (list []string) {
	for _, f := range longestFirst[:min(listed, len(longestFirst))] {
		list = append(list, fmt.Sprintf("%s: %s has %d lines", f.place, f.name, f.lines))
	}
	return list
}

// longFiles returns the files of code with more than longFile lines.
func (t *tree) longFiles() (list []string) {
	for _, s := range t.sources {
		if !s.Gen && !s.Test && len(s.Text) > longFile {
			list = append(list, fmt.Sprintf("%s: %d lines", s.Path, len(s.Text)))
		}
	}
	return list
}
