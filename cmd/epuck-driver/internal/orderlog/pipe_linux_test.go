// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package orderlog

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// TestPipesAndFoldersAreRefused: a pipe without a writer would be waited for without end.
func TestPipesAndFoldersAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, dir, "/dev/null"} {
		if _, err := Read(name); !errors.Is(err, regular.ErrKind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
