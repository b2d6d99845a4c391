// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// writePayload writes a tar archive of files, which the machine reads from a disk: name in the machine's payload
// directory → file of this computer. Their permissions are preserved.
func writePayload(path string, files map[string]string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := tar.NewWriter(f)
	for name, file := range files {
		if err := addFile(w, name, file); err != nil {
			return fmt.Errorf("vm: payload %s: %w", name, err)
		}
	}
	return w.Close()
}

func addFile(w *tar.Writer, name, file string) error {
	f, err := regular.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	header := &tar.Header{
		Name: filepath.ToSlash(name), Mode: int64(info.Mode().Perm()), Size: info.Size(), ModTime: info.ModTime(),
	}
	if err := w.WriteHeader(header); err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}
