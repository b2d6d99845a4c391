// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
)

const (
	// MaxModelSize is the longest description that is read, bytes.
	MaxModelSize = 8 << 20
	// maxModels bounds the robots of other kinds than the e-puck2.
	maxModels = 1000
	// maxModelText bounds all descriptions of a world file together, bytes.
	maxModelText = 64 << 20
)

// model checks a robot of another kind.
func (c *checker) model(r *Robot, i int) {
	if len(r.Model) > 4*maxName {
		c.fail("longer than %d bytes", []any{4 * maxName}, "robots", i, "model")
	}
	if len(r.Description) > MaxModelSize {
		c.fail("a description of %d bytes, at most %d", []any{len(r.Description), MaxModelSize}, "robots", i, "model")
	}
	if c.models++; c.models > maxModels {
		c.fail("more than %d robots with a model", []any{maxModels}, "robots", i, "model")
	}
}

// loadModels reads the descriptions in the folder of a world file: each once, however many robots are of that model.
func loadModels(w *World, l locator, files fs.FS) error {
	texts, all := map[string][]byte{}, 0
	for i := range w.Robots {
		r := &w.Robots[i]
		if r.Model == "" || !strings.Contains(r.Model, ".") {
			continue
		}
		if _, read := texts[r.Model]; !read {
			text, err := readModel(files, r.Model)
			if all += len(text); err == nil && all > maxModelText {
				err = fmt.Errorf("descriptions of more than %d bytes together", maxModelText)
			}
			if err != nil {
				c := checker{at: l}
				c.fail("%v", []any{err}, "robots", i, "model")
				return c.err
			}
			texts[r.Model] = text
		}
		r.Description = texts[r.Model]
	}
	return nil
}

// readModel reads a description.
func readModel(files fs.FS, name string) ([]byte, error) {
	if files == nil {
		return nil, fmt.Errorf("%s: a world that is not read from a file has no folder with further files", name)
	}
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%s: a description must be in the world file's folder, or in a folder below it", name)
	}
	if info, err := fs.Stat(files, name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", name) // one that is a pipe would be waited for
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(f, MaxModelSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxModelSize {
		return nil, fmt.Errorf("%s: over %d bytes", name, MaxModelSize)
	}
	return text, nil
}
