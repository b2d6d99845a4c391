// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// maxFolderFiles is how many files of code a folder may hold: what a reader can hold, too. Tests and generated files
// are not counted.
const maxFolderFiles = 20

// crowded are the folders with more, how many they may hold, and why they would read worse in parts. The numbers only
// go down: a folder that has lost files lowers its own, and one with maxFolderFiles or fewer has no row.
var crowded = map[string]struct {
	most int
	why  string
}{}

// TestFoldersAreSmall: a folder that grows beyond what a reader can hold becomes rooms, or gets a row with its reason.
func TestFoldersAreSmall(t *testing.T) {
	files := map[string]int{}
	for _, s := range sources(t) {
		if !s.test && !s.gen {
			files[s.room]++
		}
	}
	for _, wrong := range wrongFolders(files) {
		t.Error(wrong)
	}
	if len(files) < 100 {
		t.Errorf("only %d folders: the search is broken", len(files))
	}
}

// wrongFolders says what is wrong with folders of so many files.
func wrongFolders(files map[string]int) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, room := range slices.Sorted(maps.Keys(files)) {
		n := files[room]
		switch row, has := crowded[room]; {
		case !has && n > maxFolderFiles:
			say("%s: %d files, more than %d: which rooms are in it? Or give it a row in crowded, with the reason", room, n, maxFolderFiles)
		case has && n > row.most:
			say("%s: %d files, more than the %d of its row in crowded", room, n, row.most)
		case has && n <= maxFolderFiles:
			say("%s: %d files: it needs no row in crowded any more", room, n)
		case has && n < row.most:
			say("%s: %d files: lower its row in crowded from %d", room, n, row.most)
		}
	}
	for _, room := range slices.Sorted(maps.Keys(crowded)) {
		if files[room] == 0 {
			say("crowded: no folder %s", room)
		}
		if crowded[room].why == "" {
			say("crowded: no reason for %s", room)
		}
	}
	return wrong
}
