// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// unfuzzed are packages with a decoder and no fuzz target of their own, and why. A row that is not needed fails.
var unfuzzed = map[string]string{
	"sim": "ParseWorld calls sim/world, which is fuzzed",
}

// withoutExample are public packages without an Example, and why. A row that is not needed fails.
var withoutExample = map[string]string{}

// TestDecodersAreFuzzed: a package that parses foreign bytes has a fuzz target. What it is, its names say: an exported
// Parse…, Decode… or Unmarshal… that takes bytes.
func TestDecodersAreFuzzed(t *testing.T) {
	var folders []string
	for _, p := range packages(t) {
		if p.decodes {
			folders = append(folders, p.folder)
			p.check(t, p.fuzzed, "decodes input and has no fuzz target", unfuzzed)
		}
	}
	if len(folders) < 10 {
		t.Errorf("decoders are only in %q: the search is broken", folders)
	}
	for folder := range unfuzzed {
		if !slices.Contains(folders, folder) {
			t.Errorf("unfuzzed: %s decodes nothing", folder)
		}
	}
}

// TestPublicPackagesHaveExamples: the quickest way into a package is code that runs.
func TestPublicPackagesHaveExamples(t *testing.T) {
	all := packages(t)
	public := 0
	for _, p := range all {
		if p.public() {
			public++
			p.check(t, p.example, "has no Example", withoutExample)
		}
	}
	if public < 40 {
		t.Errorf("only %d public packages: the search is broken", public)
	}
	for folder := range withoutExample {
		if !slices.ContainsFunc(all, func(p pkg) bool { return p.folder == folder && p.exports }) {
			t.Errorf("withoutExample: no public package %s", folder)
		}
	}
}

// pkg is what the rules ask of a package.
type pkg struct {
	folder                                  string
	exports, decodes, example, fuzzed, main bool
}

// public reports whether other programs are meant to import a package: none of the topmost layer. The Example of driver
// is that of the packages below it. Generated message types are used as their hand-written siblings are.
func (p pkg) public() bool {
	if l := layerOf(p.folder); l != nil && l.level == layers[len(layers)-1].level {
		return false
	}
	return p.exports && !p.main && !slices.Contains(strings.Split(p.folder, "/"), "internal") && !strings.HasPrefix(p.folder, "driver/")
}

// check wants a package to be good, or to be excused, not both.
func (p pkg) check(t *testing.T, good bool, wrong string, excused map[string]string) {
	t.Helper()
	switch why, is := excused[p.folder]; {
	case !good && !is:
		t.Errorf("%s %s", p.folder, wrong)
	case good && is:
		t.Errorf("%s needs no excuse any more: %s", p.folder, why)
	}
}

// packages describes every package of the project, so that lists of them grow by themselves.
func packages(t *testing.T) []pkg {
	t.Helper()
	all := map[string]pkg{}
	for _, s := range sources(t) {
		p := all[s.folder]
		p.folder = s.folder
		if !s.test {
			p.main = p.main || s.ast.Name.Name == "main"
		}
		for _, decl := range s.ast.Decls {
			f, isFunction := decl.(*ast.FuncDecl)
			switch {
			case s.test && isFunction:
				p.example = p.example || strings.HasPrefix(f.Name.Name, "Example")
				p.fuzzed = p.fuzzed || strings.HasPrefix(f.Name.Name, "Fuzz")
			case !s.test:
				exported, _ := documentedNames(decl)
				p.exports = p.exports || exported > 0 && !s.gen
				p.decodes = p.decodes || isFunction && !s.gen && decodesBytes(f)
			}
		}
		all[s.folder] = p
	}
	return slices.SortedFunc(maps.Values(all), func(a, b pkg) int { return strings.Compare(a.folder, b.folder) })
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
