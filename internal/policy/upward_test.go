// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// maxUpward is how many imports inside a tree of folders may run up.
var maxUpward = map[string]int{"ros2": 13, "sim": 12}

// TestImportsInsideTreesRunDown counts the imports between the packages of a tree that run up: a package imports
//   - one of a folder above its own: its ancestor, whose other subfolders may import it in turn,
//   - or one of a sibling folder that also imports from its own: of two such folders, taken with all below them, the
//     direction with fewer imports counts.
//
// Tests are not counted, nor is the same import of several files of one package.
func TestImportsInsideTreesRunDown(t *testing.T) {
	for tree, most := range maxUpward {
		edges := map[[2]string]bool{}
		for _, s := range sources(t) {
			for _, imp := range s.imports {
				if own, isOwn := strings.CutPrefix(imp, module+"/"); isOwn && !s.test && under(s.folder, tree) && under(own, tree) {
					edges[[2]string{s.folder, own}] = true
				}
			}
		}
		up := upward(edges)
		t.Logf("%s: %d of %d imports run up", tree, len(up), len(edges))
		if len(up) > most {
			t.Errorf("%s: %d imports run up, more than %d:\n%s", tree, len(up), most, strings.Join(up, "\n"))
		}
		if len(up) < most {
			t.Errorf("%s: %d imports run up: lower maxUpward from %d", tree, len(up), most)
		}
	}
}

// upward lists the imports (from, to) that run up.
func upward(edges map[[2]string]bool) (up []string) {
	between := map[[2]string][]string{}
	for e := range edges {
		from, to := e[0], e[1]
		if under(to, from) {
			continue
		}
		text := from + " imports " + to
		if under(from, to) {
			up = append(up, text)
			continue
		}
		a, b := siblings(from, to)
		between[[2]string{a, b}] = append(between[[2]string{a, b}], text)
	}
	for pair, there := range between {
		back := between[[2]string{pair[1], pair[0]}]
		if len(there) < len(back) || len(there) == len(back) && pair[0] < pair[1] {
			up = append(up, there...)
		}
	}
	slices.Sort(up)
	return up
}

// siblings returns the folders in which two paths part: a/b/c/d and a/e/f in a/b and a/e.
func siblings(a, b string) (string, string) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	same := 0
	for as[same] == bs[same] {
		same++
	}
	return strings.Join(as[:same+1], "/"), strings.Join(bs[:same+1], "/")
}

// TestUpward: the rule itself.
func TestUpward(t *testing.T) {
	edges := map[[2]string]bool{}
	for _, e := range [][2]string{
		{"t", "t/a"}, {"t/a", "t"}, {"t/a/x", "t/b"}, {"t/a", "t/b/y"}, {"t/b", "t/a/x"}, {"t/c", "t/b"},
	} {
		edges[e] = true
	}
	want := []string{"t/a imports t", "t/b imports t/a/x"}
	if got := upward(edges); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if trees := slices.Sorted(maps.Keys(maxUpward)); !slices.Equal(trees, []string{"ros2", "sim"}) {
		t.Errorf("maxUpward has %q", trees)
	}
}
