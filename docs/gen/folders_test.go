// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGraphLeavesOutArrowsThatOthersImply: a imports b and c, b imports c: the arrow from a to c is not drawn.
func TestGraphLeavesOutArrowsThatOthersImply(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go":             "package a\nimport (\n\"fmt\"\n\"" + module + "/b/x\"\n\"" + module + "/c\"\n)\n",
		"a/a_test.go":        "package a\nimport \"" + module + "/d\"\n",
		"b/x/x.go":           "package x\nimport \"" + module + "/c\"\nimport \"" + module + "/b/y\"\n",
		"b/testdata/file.go": "package x\nimport \"" + module + "/d\"\n",
		"c/c.go":             "package c\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g, err := topFolders(root)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.mermaid(), "```mermaid\nflowchart TD\n    a --> b\n    b --> c\n```\n"; got != want {
		t.Errorf("got\n%s want\n%s", got, want)
	}
}

// TestGraphEndsInACycle: folders that import each other are drawn, both arrows.
func TestGraphEndsInACycle(t *testing.T) {
	g := imports{}
	g.add("a", "b")
	g.add("b", "a")
	if got := g.mermaid(); strings.Count(got, "-->") != 2 {
		t.Error(got)
	}
}

// TestGraphNamesFileThatDoesNotParse: an error names the file.
func TestGraphNamesFileThatDoesNotParse(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "bad.go"), []byte("no Go"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := topFolders(root); err == nil || !strings.Contains(err.Error(), "bad.go") {
		t.Error(err)
	}
}
