// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every Go block of docs/explanation/ros2.md that is not marked "ignore" is contained in example_docs_test.go, line by
// line: it compiles and runs.
func TestDocs(t *testing.T) {
	doc, err := os.ReadFile("../docs/explanation/ros2.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("example_docs_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(doc, -1)
	if len(blocks) < 6 {
		t.Errorf("only %d blocks found", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(string(code), string(b[1])) {
			t.Errorf("not in example_docs_test.go:\n%s", b[1])
		}
	}
}

// TestReadmeShowsTheExamples: every Go block of README.md is part of the program that the next link names, but for
// indentation, and every program is linked.
func TestReadmeShowsTheExamples(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\(\.\./(examples/ros2/\w+/main\.go)\)`)
	blocks := 0
	for rest := string(readme); ; blocks++ {
		_, after, found := strings.Cut(rest, "```go\n")
		if !found {
			break
		}
		var block string
		block, rest, _ = strings.Cut(after, "```")
		program := link.FindStringSubmatch(rest)
		if program == nil {
			t.Fatalf("no program is linked after\n%s", block)
		}
		code, err := os.ReadFile(filepath.Join("..", program[1]))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(unindented(string(code)), unindented(block)) {
			t.Errorf("not in %s:\n%s", program[1], block)
		}
	}
	programs, err := filepath.Glob("../examples/ros2/*/main.go")
	if err != nil || len(programs) < 8 || blocks < len(programs) {
		t.Errorf("%d programs, %d blocks: %v", len(programs), blocks, err)
	}
	for _, path := range programs {
		if !strings.Contains(string(readme), "("+filepath.ToSlash(path)+")") {
			t.Errorf("README.md does not link %s", path)
		}
	}
}

// unindented returns text without the white space at the beginning of each line.
func unindented(text string) string {
	return regexp.MustCompile(`(?m)^[ \t]+`).ReplaceAllString(text, "")
}
