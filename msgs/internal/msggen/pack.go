// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
)

// pack returns the files of all definitions for msgs.Sources: a ZIP archive, compressed as a whole, which takes a
// quarter of the separate files in a program.
func pack(root fs.FS) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := zip.NewWriter(compressed)
	for _, pattern := range []string{"*/msg/*.msg", "*/srv/*.srv", "*/action/*.action"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if err := store(archive, root, name); err != nil {
				return nil, err
			}
		}
	}
	if err := errors.Join(archive.Close(), compressed.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// store adds a file without compression and without a time.
func store(archive *zip.Writer, root fs.FS, name string) error {
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, bytes.NewReader(data))
	return err
}
