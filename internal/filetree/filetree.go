// SPDX-License-Identifier: Apache-2.0

// Package filetree makes the file systems of other machines for tests: /sys and /dev of a Raspberry Pi, for instance,
// with the symbolic links by which the kernel shows what is attached where.
package filetree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Make makes a folder that lasts as long as the test, with files ("path=contents") and symbolic links ("path ->
// target"), and returns its path. Folders on the way are made; what can't be made ends the test.
func Make(t testing.TB, entries ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, e := range entries {
		if err := add(root, e); err != nil {
			t.Fatalf("filetree: %q: %v", e, err)
		}
	}
	return root
}

func add(root, entry string) error {
	name, target, link := strings.Cut(entry, " -> ")
	name, text, _ := strings.Cut(name, "=")
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if link {
		return os.Symlink(target, path)
	}
	return os.WriteFile(path, []byte(text), 0o600)
}
