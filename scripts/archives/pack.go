// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// contents are the files of an archive by their paths in it.
type contents map[string][]byte

// files reads what a program's archive holds, below a folder of its own name: the program, the files of all archives,
// licences and the SBOM.
func (r *release) files(folder, name string) (contents, error) {
	files := contents{}
	if err := errors.Join(files.add(folder, name), files.add(r.common, name)); err != nil {
		return nil, err
	}
	program := filepath.Join(folder, "epuck-driver")
	if files[name+"/epuck-driver.exe"] != nil {
		program += ".exe"
	}
	modules, err := modulesOf(program)
	if err != nil {
		return nil, err
	}
	if err := files.addLicences(modules, name+"/licences/"); err != nil {
		return nil, err
	}
	files[name+"/sbom.cdx.json"], err = sbom(modules, r.version, r.time)
	return files, err
}

// add reads the files of a folder and its folders.
func (c contents) add(folder, prefix string) error {
	files := os.DirFS(folder)
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		c[prefix+"/"+path], err = fs.ReadFile(files, path)
		return err
	})
}

// mode is that of a file in an archive: the programs can be started.
func mode(name string) fs.FileMode {
	if strings.HasSuffix(name, "/epuck-driver") || strings.HasSuffix(name, ".exe") {
		return 0o755
	}
	return 0o644
}

func tarball(files contents, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&b, gzip.DefaultCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: name, Mode: int64(mode(name)), Size: int64(len(files[name])), ModTime: when, Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	err = errors.Join(w.Close(), compressed.Close())
	return b.Bytes(), err
}

func zipped(files contents, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: when}
		h.SetMode(mode(name))
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if _, err := f.Write(files[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
