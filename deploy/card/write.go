// SPDX-License-Identifier: Apache-2.0

package card

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// writeFile replaces a file atomically: after a power cut there is the old or the new one. A file with the same
// content and mode is not written.
func writeFile(root string, f file) (err error) {
	path := filepath.Join(root, filepath.FromSlash(f.Path))
	if was, err := os.ReadFile(path); err == nil && string(was) == f.Text {
		if info, err := os.Stat(path); err == nil && info.Mode().Perm() == f.Mode {
			return nil
		}
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	temporary := path + ".epuck-new" // a fixed name, so that a file left by a power cut is overwritten
	w, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, f.Mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary)
		}
	}()
	_, err = io.WriteString(w, f.Text)
	if err = errors.Join(err, w.Chmod(f.Mode), w.Sync(), w.Close()); err != nil {
		return err
	}
	if err = os.Rename(temporary, path); err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes a new directory entry durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// readFile reads a file of the card's system; a missing one is empty.
func readFile(root, path string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(b), err
}

// readLimited reads up to maxFile+1 bytes of a user's file, so that callers detect a larger one.
func readLimited(path string) ([]byte, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("card: %s: %w", path, err)
	}
	return b, nil
}
