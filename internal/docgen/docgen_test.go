// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
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
	if err := os.Mkdir(filepath.Join(root, "deploy"), 0o755); err != nil {
		t.Fatal(err)
	}
	readme := "# Title\n"
	for _, s := range documents()[0].sections {
		readme += "<!-- begin " + s.name + ": make generate -->\nold\n<!-- end " + s.name + " -->\ntext\n"
	}
	path := filepath.Join(root, "README.md")
	if err := os.WriteFile(path, []byte(readme), 0o644); err != nil {
		t.Fatal(err)
	}
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
	if texts[0] != texts[1] || !strings.HasPrefix(texts[0], "# Title\n") || strings.Contains(texts[0], "old\n") || strings.Count(texts[0], "text\n") != 3 {
		t.Errorf("after writing once:\n%s\nand twice:\n%s", texts[0], texts[1])
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
	text := driver.ParametersYAML(nodeName)
	for _, p := range driver.Parameters() {
		if !strings.Contains(text, "    "+p.Name+": ") {
			t.Errorf("%s is not in the file", p.Name)
		}
	}
}
