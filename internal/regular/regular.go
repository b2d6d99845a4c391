// SPDX-License-Identifier: Apache-2.0

// Package regular reads files whose size and kind are not known. It refuses pipes and devices, whose data may come late
// or have no end, and files that are too large.
package regular

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// Errors of reading.
var (
	// ErrKind: it is a folder, a pipe, a socket or a device.
	ErrKind = errors.New("not a regular file")
	// ErrLarge: it has more bytes than may be read.
	ErrLarge = errors.New("file too large")
)

// Open opens a file for reading. It does not wait for a pipe's other end. The errors match [ErrKind] or those of
// package os, and name the file.
func Open(path string) (*os.File, error) { return open(path, os.O_RDONLY) }

// OpenToChange opens a file for reading and writing, as Open does.
func OpenToChange(path string) (*os.File, error) { return open(path, os.O_RDWR) }

func open(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|system.NonBlocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, ErrKind)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read reads a whole file of at most limit bytes. The errors are those of [Open], or match [ErrLarge].
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: %w: more than %d bytes", path, ErrLarge, limit)
	}
	return data, nil
}
