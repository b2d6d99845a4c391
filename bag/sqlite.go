// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"path/filepath"
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

// fileError is an error of reading a file of a bag, whose text names the file.
type fileError struct {
	file string // relative to the bag's folder
	err  error
}

func (e *fileError) Error() string { return e.err.Error() }

func (e *fileError) Unwrap() error { return e.err }

// failures are the first errors of a file: a damaged file may have one for each message.
type failures struct {
	errs []error
	more int
}

func (f *failures) add(err error) {
	if len(f.errs) == maxUnreadable {
		f.more++
		return
	}
	f.errs = append(f.errs, err)
}

func (f *failures) join() error {
	err := errors.Join(f.errs...)
	if f.more > 0 {
		err = fmt.Errorf("%w\nand %d more errors", err, f.more)
	}
	return err
}

// recoverSQLite rewrites metadata.yaml: SQLite's files need no end. It reads all messages, and reports files that cannot be
// read, or only in part.
func recoverSQLite(c *content, show func(share float64, file string)) ([]Recovered, error) {
	b, err := c.open()
	if err != nil {
		return nil, err
	}
	failed := map[string]*failures{}
	done, n := uint64(0), max(b.Count(), 1)
	for _, err := range b.Messages(Range{}) {
		var at *fileError
		if errors.As(err, &at) {
			if failed[at.file] == nil {
				failed[at.file] = &failures{}
			}
			failed[at.file].add(err)
		}
		if done++; done%1000 == 0 {
			show(float64(done)/float64(n), filepath.Base(c.path))
		}
	}
	var out []Recovered
	for _, f := range b.files {
		one := Recovered{File: f.Path}
		one.Whole, one.Messages = true, f.Messages
		if all := failed[f.Path]; all != nil {
			one.Whole, one.Err = false, all.join()
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
