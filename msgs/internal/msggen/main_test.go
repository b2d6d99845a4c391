// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/gen"
)

// write writes files below root.
func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func exists(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, name))
	return err == nil
}

func TestRunReplacesWhatItWrote(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"a_msgs/msg/T.msg":         "bool b\n",
		"a_msgs/gone_gen.go":       "package a_msgs",
		"a_msgs/doc.go":            "package a_msgs",
		"internal/other/x_gen.go":  "package other",
		"testdata/kept/msg/no.txt": "not a definition",
	})
	if err := run(root, gen.Options{Module: "m", Lookup: true}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"a_msgs/t_gen.go": true, "lookup_gen.go": true, "a_msgs/doc.go": true, "internal/other/x_gen.go": true,
		"a_msgs/gone_gen.go": false,
	} {
		if exists(root, name) != want {
			t.Errorf("%s exists: %v, want %v", name, !want, want)
		}
	}
}

// A bad definition leaves the files as they are.
func TestRunChangesNothingOnError(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"a_msgs/msg/T.msg":   "bool b\n",
		"a_msgs/msg/U.msg":   "wstring w\n",
		"a_msgs/gone_gen.go": "package a_msgs",
	})
	if err := run(root, gen.Options{Module: "m"}); err == nil {
		t.Fatal("no error")
	}
	if exists(root, "a_msgs/t_gen.go") || !exists(root, "a_msgs/gone_gen.go") {
		t.Error("files changed")
	}
}
