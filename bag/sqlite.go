// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

// StorageSQLite is the storage identifier of sqlite3 files, ROS 2 Humble's default. They are read on PCs (amd64)
// only: on robots SQLite would be a quarter of the program.
const StorageSQLite = "sqlite3"

// ErrSQLite is matched by the errors of sqlite3 bags: in programs without SQLite, and for invalid files.
var ErrSQLite = errors.New("sqlite3 bag")

// SQLite reports whether this program reads bags in sqlite3 files.
const SQLite = hasSQLite

// recoverSQLite rewrites metadata.yaml: SQLite's files need no end. It reads all messages, and reports files that cannot be
// read, or only in part.
func recoverSQLite(c *content, show func(share float64, file string)) ([]Recovered, error) {
	b, err := c.open()
	if err != nil {
		return nil, err
	}
	var unreadable []error
	done, n := uint64(0), max(b.Count(), 1)
	for _, err := range b.Messages(Range{}) {
		if err != nil {
			unreadable = append(unreadable, err)
		}
		if done++; done%1000 == 0 {
			show(float64(done)/float64(n), filepath.Base(c.path))
		}
	}
	var out []Recovered
	for _, f := range b.files {
		one := Recovered{File: f.Path}
		one.Whole, one.Messages = true, f.Messages
		for _, err := range unreadable { // they name the file
			if strings.Contains(err.Error(), filepath.Base(f.Path)) {
				one.Whole, one.Err = false, errors.Join(one.Err, err)
			}
		}
		out = append(out, one)
	}
	for _, name := range c.names {
		file := c.relative(name)
		if !slices.ContainsFunc(b.files, func(f Part) bool { return f.Path == file }) {
			err := filekind.Explain(name, fmt.Errorf("%w: %s cannot be read", ErrSQLite, name), filekind.SQLite)
			out = append(out, Recovered{File: file, Err: err})
		}
	}
	if !c.folder {
		return out, b.Close()
	}
	return out, errors.Join(b.Metadata().Write(c.path), b.Close())
}
