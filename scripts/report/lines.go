// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
)

// lines are the lines that are neither blank nor only a comment. Tests are the files that end in _test.go, the packages
// that import "testing" without being a test (suites that several packages run), and the commands of
// testdata/script/*.txtar. Golden files, recorded packets, peers in other languages and the page are not counted.
type lines struct{ code, tests, generated int }

// countAllLines counts every file.
func (t *tree) countAllLines() (n lines) {
	suites := map[string]bool{}
	for _, s := range t.sources {
		if !s.Test && slices.Contains(s.Imports, "testing") {
			suites[s.Folder] = true
		}
	}
	for _, s := range t.sources {
		count := countLines(s.Text)
		switch {
		case s.Gen:
			n.generated += count
		case s.Test || suites[s.Folder]:
			n.tests += count
		default:
			n.code += count
		}
	}
	for _, script := range t.scripts {
		n.tests += countCommands(script.text)
	}
	return n
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

// countCommands counts the commands in front of the first file of a script.
func countCommands(text string) (n int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "-- ") {
			break
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			n++
		}
	}
	return n
}
