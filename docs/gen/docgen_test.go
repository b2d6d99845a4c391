// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web"
)

func TestGeneratedDocumentationIsCurrent(t *testing.T) {
	for _, doc := range documents() {
		old, err := os.ReadFile(filepath.Join("..", "..", doc.path))
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := doc.render(string(old))
		if err != nil {
			t.Fatalf("%s: %v", doc.path, err)
		}
		if diff := cmp.Diff(string(old), fresh); diff != "" {
			t.Errorf("%s is stale, run make generate (-is +should be):\n%s", doc.path, diff)
		}
	}
}

func TestWriteIsIdempotentAndKeepsTheRest(t *testing.T) {
	root := t.TempDir()
	for _, doc := range documents() {
		text := "# Title\n"
		for _, s := range doc.sections {
			text += "<!-- begin " + s.name + ": make generate -->\nold\n<!-- end " + s.name + " -->\ntext\n"
		}
		file := filepath.Join(root, doc.path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(root, "docs/reference/interface.md")
	var texts [2]string
	for i := range texts {
		if err := write(root); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(data)
	}
	if texts[0] != texts[1] || !strings.HasPrefix(texts[0], "# Title\n") || strings.Contains(texts[0], "old\n") || strings.Count(texts[0], "text\n") != len(documents()[0].sections) {
		t.Errorf("after writing once %d bytes, twice %d", len(texts[0]), len(texts[1]))
	}
}

func TestMissingMarkIsAnError(t *testing.T) {
	if _, err := documents()[0].render("# no marks\n"); !errors.Is(err, errMark) {
		t.Errorf("got %v, want %v", err, errMark)
	}
}

// TestParameterFileLoads feeds the generated file to the parser that users' nodes have.
func TestParameterFileLoads(t *testing.T) {
	file := filepath.Join("..", "..", "deploy", "params.yaml")
	if _, _, err := ros2.ParseArgs([]string{"--ros-args", "--params-file", file}); err != nil {
		t.Fatal(err)
	}
	text := parameterFile()
	for _, p := range web.Parameters() {
		if !strings.Contains(text, " "+p.Name+": ") {
			t.Errorf("%s is not in the file", p.Name)
		}
	}
	for _, p := range table.Parameters() {
		if !strings.Contains(text, "    "+p.Name+": ") {
			t.Errorf("%s is not in the file", p.Name)
		}
	}
}
