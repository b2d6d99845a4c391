// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesThatAreNoBags: the error says what a file is, or what a folder holds, and the way on.
func TestFilesThatAreNoBags(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"run.bag", "#ROSBAG V2.0\n", "is a ROS 1 bag; convert it: rosbags-convert"},
		{"run.mcap", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "git lfs pull"},
		{"run.db3", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "git lfs pull"},
		{"empty.mcap", "", "is empty (0 bytes)"},
		{"zeros.mcap", "\x00\x00\x00\x00\x00\x00\x00\x00\x00", "filled with zero bytes"},
		{"page.mcap", "<!DOCTYPE html><html>", "is an HTML page"},
		{"run.mcap.gz", "\x1f\x8b\x08\x00", "gunzip"},
		{"params.yaml", "/**:\n  ros__parameters:\n    x: 1\n", "a file of ROS parameters"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the folder of %s: %v, want %q", c.name, err, c.want)
		}
	}
	outer := t.TempDir()
	if _, err := Open(outer); err == nil || !strings.Contains(err.Error(), "it is empty") {
		t.Error(err)
	}
	inner := filepath.Join(outer, "run1")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inner, MetadataFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(outer); err == nil || !strings.Contains(err.Error(), "the bag is "+inner) {
		t.Error(err)
	}
}
