// SPDX-License-Identifier: Apache-2.0

// Package outfile checks before a long piece of work that its result can be written at the end: that the folder exists or
// can be created, that files can be created in it, and that the disk has space.
package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// Errors of the checks. They are returned with the path, and with the file system's error where it has one.
var (
	// ErrFolder: the folder of a file does not exist, or is no folder.
	ErrFolder = errors.New("the folder cannot be used")
	// ErrFile: the file cannot be written: it is a folder.
	ErrFile = errors.New("the file cannot be written")
	// ErrSpace: the disk has too little space.
	ErrSpace = errors.New("the disk is full")
)

// space is how many bytes must be free: enough for every result of this program but a recording, which checks the space
// while it is written.
const space = 1 << 20

// File checks that a file can be written when the work has ended: it creates a file in its folder, under another name,
// and removes it at once. What exists is not changed. A device or a pipe is accepted without a check.
func File(path string) error {
	if done, err := special(path); done {
		return err
	}
	dir := filepath.Dir(path)
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: %s does not exist; create it first, with mkdir -p for example", path, ErrFolder, dir)
	case err != nil:
		return fmt.Errorf("%s: %w: %w", path, ErrFolder, err)
	case !info.IsDir():
		return fmt.Errorf("%s: %w: %s is a file", path, ErrFolder, dir)
	}
	return usable(path, dir)
}

// special checks what has the name of a file and is not a regular one.
func special(path string) (done bool, err error) {
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return true, fmt.Errorf("%s: %w: it is a folder", path, ErrFile)
	case err == nil && !info.Mode().IsRegular():
		return true, nil // a device or a pipe: it needs neither a folder that can be written nor space
	}
	return false, nil
}

// FileInFolder is [File] for what is written by a function that creates the folder of its file, with those above it.
func FileInFolder(path string) error {
	if done, err := special(path); done {
		return err
	}
	return Folder(filepath.Dir(path))
}

// Files is [File] for several; an empty path is no file.
func Files(paths ...string) error {
	for _, path := range paths {
		if path == "" {
			continue
		}
		if err := File(path); err != nil {
			return err
		}
	}
	return nil
}

// Folder checks that files can be written into a folder. One that does not exist is not created by the check, but must be
// possible to create, with those above it.
func Folder(path string) error {
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir):
			continue
		case err != nil:
			return fmt.Errorf("%s: %w: %w", path, ErrFolder, err)
		case !info.IsDir():
			return fmt.Errorf("%s: %w: %s is a file", path, ErrFolder, dir)
		}
		return usable(path, dir)
	}
}

// usable checks that a file can be created in an existing folder, and that there is space.
func usable(path, dir string) error {
	f, err := os.CreateTemp(dir, ".epuck-driver-check-*")
	if system.IsDiskFull(err) {
		return fmt.Errorf("%s: %w: %w", path, ErrSpace, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", path, ErrFolder, reason(err))
	}
	if err := errors.Join(f.Close(), os.Remove(f.Name())); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if free, _, err := system.DiskSpace(dir); err == nil && free < space { // not every file system can say
		return fmt.Errorf("%s: %w: %d kB are free in %s, %d kB are needed", path, ErrSpace, free>>10, dir, space>>10)
	}
	return nil
}

// reason is the error without the name of the file that was tried.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%s: %w", filepath.Dir(at.Path), at.Err)
	}
	return err
}
