// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/policy"
)

// upwardTrees are the folders whose imports between packages are counted.
var upwardTrees = []string{"sim", "ros2", "driver", "cmd"}

// upwardImports returns the imports inside a tree of folders that run up, and the places of all files that have them. A
// package imports up if it imports
//   - one of a folder above its own: its ancestor, whose other subfolders may import it in turn,
//   - or one of a sibling folder that also imports from its own: of two such folders, taken with all below them, the
//     direction with fewer imports counts.
//
// Tests are not counted.
func (t *tree) upwardImports(top string) (packages, files []string) {
	edges := map[[2]string]bool{}
	places := map[string][]string{}
	for _, s := range t.sources {
		for i, imp := range s.Imports {
			own, isOwn := strings.CutPrefix(imp, policy.Module+"/")
			if !isOwn || s.Test || !policy.Under(s.Folder, top) || !policy.Under(own, top) {
				continue
			}
			edges[[2]string{s.Folder, own}] = true
			text := s.Folder + " imports " + own
			places[text] = append(places[text], s.Place(s.AST.Imports[i].Pos())+" "+own)
		}
	}
	packages = upward(edges)
	for _, text := range packages {
		files = append(files, places[text]...)
	}
	return packages, files
}

// upward lists the imports (from, to) that run up.
func upward(edges map[[2]string]bool) (up []string) {
	between := map[[2]string][]string{}
	for e := range edges {
		from, to := e[0], e[1]
		if policy.Under(to, from) {
			continue
		}
		text := from + " imports " + to
		if policy.Under(from, to) {
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
