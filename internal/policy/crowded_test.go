// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// maxFolderFiles is how many files of code a folder may hold: what a reader can hold, too. Tests and generated files
// are not counted.
const maxFolderFiles = 20

// crowded are the folders with more, how many they may hold, and why they would read worse in parts. The numbers only
// go down: a folder that has lost files lowers its own, and one with maxFolderFiles or fewer has no row.
var crowded = map[string]bound{
	"camera":                             {27, "a picture's path through one pipeline, a file a step; sources, formats and codecs are folders below it"},
	"ros2":                               {52, "one vocabulary for its users: in packages of their own, names would be there twice; what has no public name is below"},
	"ros2/executor/order":                {23, "leader and members of one agreement, a file a step of it; its messages are in wire"},
	"ros2/rclgo":                         {26, "types of C are those of one package only"},
	"ros2/rtps":                          {42, "a datagram's turn goes through readers, writers and their proxies under one lock; what owns its state alone is below"},
	"ros2/rtps/wire":                     {54, "a file a submessage or a parameter, as the standard has chapters, all on one reader and builder"},
	"ros2/shell":                         {29, "a file a command, all on one session and one parser"},
	"sim":                                {33, "one world that one step advances; what it knows of shapes, physics, chips and protocols is below"},
	"sim/robots/proto":                   {22, "a file a kind of Webots' nodes, all on one builder; and the scanner with its template code"},
	"sim/traci":                          {26, "a file a domain of SUMO's protocol, all on one server"},
	"cmd/epuck-driver/internal/simulate": {21, "flags and runs of one command, whose options they share; one file says what other systems lack"},
	"fleet":                              {21, "robots and what can be asked of them, a file a service; controllers and reports are packages below it"},
}

// bound is how many files a folder may hold, and why.
type bound struct {
	most int
	why  string
}

// TestFoldersAreSmall: a folder that grows beyond what a reader can hold becomes folders, or gets a row with its
// reason.
func TestFoldersAreSmall(t *testing.T) {
	files := map[string]int{}
	for _, s := range sources(t) {
		if !s.test && !s.gen {
			files[s.folder]++
		}
	}
	for _, wrong := range wrongFolders(files, crowded) {
		t.Error(wrong)
	}
	if len(files) < 100 {
		t.Errorf("only %d folders: the search is broken", len(files))
	}
}

// wrongFolders says what is wrong with folders of so many files.
func wrongFolders(files map[string]int, crowded map[string]bound) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		n := files[folder]
		switch row, has := crowded[folder]; {
		case !has && n > maxFolderFiles:
			say("%s: %d files, more than %d: which folders are in it? Or give it a row in crowded, with the reason", folder, n, maxFolderFiles)
		case has && n > row.most:
			say("%s: %d files, more than the %d of its row in crowded", folder, n, row.most)
		case has && n <= maxFolderFiles:
			say("%s: %d files: it needs no row in crowded any more", folder, n)
		case has && n < row.most:
			say("%s: %d files: lower its row in crowded from %d", folder, n, row.most)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(crowded)) {
		if files[folder] == 0 {
			say("crowded: no folder %s", folder)
		}
		if crowded[folder].why == "" {
			say("crowded: no reason for %s", folder)
		}
	}
	return wrong
}

// TestWrongFoldersAreFound: too many without a row, more than a row allows, and rows that say too much or nothing.
func TestWrongFoldersAreFound(t *testing.T) {
	rows := map[string]bound{"full": {25, "why"}, "grown": {25, "why"}, "less": {25, "why"}, "small": {25, "why"}, "gone": {25, "why"}, "mute": {25, ""}}
	files := map[string]int{"fits": maxFolderFiles, "many": maxFolderFiles + 1, "full": 25, "grown": 26, "less": 24, "small": maxFolderFiles, "mute": 25}
	got := wrongFolders(files, rows)
	for i, want := range []string{"grown: 26 files, more than the 25", "less: 24 files: lower", "many: 21 files", "small: 20 files: it needs no row",
		"no folder gone", "no reason for mute"} {
		if i >= len(got) || !strings.Contains(got[i], want) {
			t.Errorf("%q, want %q as number %d", got, want, i)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d complaints: %q", len(got), got)
	}
}
