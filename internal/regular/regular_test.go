// SPDX-License-Identifier: Apache-2.0

//go:build linux

package regular

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOnlyRegularFilesOfBoundedSizeAreRead(t *testing.T) {
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	file, pipe, loop, link := at("file"), at("pipe"), at("loop"), at("link")
	if err := errors.Join(os.WriteFile(file, []byte("12345"), 0o600), syscall.Mkfifo(pipe, 0o600), os.Symlink(loop, loop), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		limit int64
		want  error
	}{
		{file, 5, nil}, {link, 5, nil}, {file, 4, ErrLarge}, {pipe, 5, ErrKind}, {loop, 5, syscall.ELOOP}, {"/dev/zero", 5, ErrKind},
		{filepath.Dir(file), 5, ErrKind}, {at("none"), 5, os.ErrNotExist},
	} {
		data, err := Read(c.path, c.limit)
		if !errors.Is(err, c.want) || c.want == nil && string(data) != "12345" {
			t.Errorf("%s, at most %d bytes: %q, %v, want %v", c.path, c.limit, data, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), c.path) {
			t.Errorf("%v does not name %s", err, c.path)
		}
	}
}

func TestOnlyRegularFilesAreOpenedToChange(t *testing.T) {
	dir := t.TempDir()
	file, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	f, err := OpenToChange(file)
	if err != nil {
		t.Fatal(err)
	}
	_, written := f.WriteString("12345")
	if err := errors.Join(written, f.Close()); err != nil {
		t.Error(err)
	}
	if _, err := OpenToChange(pipe); !errors.Is(err, ErrKind) {
		t.Errorf("a pipe: %v", err)
	}
}
