// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"bufio"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is counted. A line is counted if it is neither blank nor only a comment. Generated files are left out on both
// sides. Tests are the files that end in _test.go, the packages that import "testing" without being a test (suites that
// several packages run), and the commands of testdata/script/*.txtar: the lines in front of the first file of such a
// script. Golden files, recorded packets, peers in other languages and the page's own tests count as nothing.
const (
	// minRatio is how many lines of tests the project has for each line of code.
	minRatio = 1.20
	// minTestRatio is the same for each folder, if it has no lower number in testRatios.
	minTestRatio = 0.9
	// ratchet is how far a folder may be above its number before the number has to follow.
	ratchet = 0.5
	// smallPackage is the number of lines of code up to which a folder's ratio says nothing.
	smallPackage = 60
)

// programs are tested as a whole, by sessions and from outside: the folders below one count together with it.
var programs = []string{"cmd/epuck-driver"}

// counted is the folder to which a folder's lines count.
func counted(folder string) string {
	if under(folder, "examples/ros2") { // TestExamples runs them as users do
		return "ros2/interop"
	}
	for _, p := range programs {
		if under(folder, p) {
			return p
		}
	}
	return folder
}

// count is the size of a folder, in lines.
type count struct{ code, tests int }

func (c count) ratio() float64 { return float64(c.tests) / float64(max(c.code, 1)) }

func (c *count) add(lines int, tests bool) {
	if tests {
		c.tests += lines
	} else {
		c.code += lines
	}
}

func TestThereIsMoreTestThanCode(t *testing.T) {
	folders := countFolders(t)
	var all count
	for _, c := range folders {
		all.add(c.code, false)
		all.add(c.tests, true)
	}
	t.Logf("%d lines of tests, %d of code: %.3f", all.tests, all.code, all.ratio())
	if all.ratio() < minRatio {
		t.Errorf("%d lines of tests for %d of code: %.3f, less than %.2f", all.tests, all.code, all.ratio(), minRatio)
	}
	if all.ratio() > minRatio+0.05 && minRatio < 1.2 {
		t.Errorf("%.3f lines of tests for a line of code: raise minRatio from %.2f", all.ratio(), minRatio)
	}
}

func TestEveryPackageHasTests(t *testing.T) {
	folders := countFolders(t)
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		c, row := folders[folder], testRatios[folder]
		floor := minTestRatio
		if row > 0 {
			floor = row
		}
		switch {
		case c.code <= smallPackage:
		case c.ratio() < floor:
			t.Errorf("%s: %d lines of tests for %d of code: %.2f, less than its %.2f", folder, c.tests, c.code, c.ratio(), floor)
		case row > 0 && c.ratio() >= minTestRatio+ratchet/2:
			t.Errorf("%s: has %.2f lines of tests for a line of code: it needs no row in testRatios any more", folder, c.ratio())
		case row > 0 && c.ratio() >= row+ratchet:
			t.Errorf("%s: has %.2f lines of tests for a line of code: raise its row from %.2f", folder, c.ratio(), row)
		}
	}
	for folder := range testRatios {
		if folders[folder].code <= smallPackage {
			t.Errorf("testRatios: no folder %s of more than %d lines", folder, smallPackage)
		}
	}
}

// countFolders counts every folder with Go files.
func countFolders(t *testing.T) map[string]count {
	t.Helper()
	suites := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test && slices.Contains(s.imports, "testing") {
			suites[s.folder] = true
		}
	}
	folders := map[string]count{}
	for _, s := range sources(t) {
		if s.gen {
			continue
		}
		c := folders[counted(s.folder)]
		c.add(countLines(s.text), s.test || suites[s.folder])
		folders[counted(s.folder)] = c
	}
	for folder, n := range countScripts(t) {
		c := folders[folder]
		c.add(n, true)
		folders[folder] = c
	}
	return folders
}

// countLines counts the lines of Go that are neither blank nor only a comment.
func countLines(text []string) (n int) {
	comment := false
	for _, line := range text {
		line = strings.TrimSpace(line)
		switch {
		case comment:
			comment = !strings.Contains(line, "*/")
		case line == "" || strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "/*"):
			comment = !strings.Contains(line, "*/")
		default:
			n++
		}
	}
	return n
}

// countScripts counts the commands of each folder's testdata/script/*.txtar.
func countScripts(t *testing.T) map[string]int {
	t.Helper()
	found := map[string]int{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		folder, _, is := strings.Cut(filepath.ToSlash(rel), "/testdata/script/")
		if is && !strings.HasPrefix(folder, ".") {
			found[folder] += countCommands(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// countCommands counts the commands in front of the first file of a script.
func countCommands(t *testing.T, path string) (n int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "-- ") {
			break
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			n++
		}
	}
	return n
}

func TestCountLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"package x\n\n// a\nvar y int // b\n", 2},
		{"/* a\nb\n*/\nvar x int\n/* c */\nvar y int", 2},
		{"", 0},
		{"\tx := `\n\n// in text is taken for a comment\n`", 2},
	} {
		if got := countLines(strings.Split(c.text, "\n")); got != c.want {
			t.Errorf("%q has %d lines, want %d", c.text, got, c.want)
		}
	}
}
