// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

// StorageSQLite is the storage identifier of sqlite3 files, ROS 2 Humble's default. They are read on PCs (amd64)
// only: on robots SQLite would be a quarter of the program.
const StorageSQLite = "sqlite3"

// ErrSQLite is matched by the errors of sqlite3 bags: in programs without SQLite, and for invalid files.
var ErrSQLite = errors.New("sqlite3 bag")

// SQLite reports whether this program reads bags in sqlite3 files.
const SQLite = hasSQLite

// recoverSQLite rewrites metadata.yaml: SQLite's files need no end. Those that cannot be read are reported.
func recoverSQLite(c *content) ([]Recovered, error) {
	b, err := c.open()
	if err != nil {
		return nil, err
	}
	var out []Recovered
	for _, f := range b.files {
		one := Recovered{File: f.Path}
		one.Whole, one.Messages = true, f.Messages
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
