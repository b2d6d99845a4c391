// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// FuzzSQLite: for any bytes the reader of sqlite3 files ends, with messages or an error.
func FuzzSQLite(f *testing.F) {
	for _, statements := range tables {
		path := filepath.Join(f.TempDir(), "f_0.db3")
		if err := makeSQLite(f, path, append([]string{"PRAGMA page_size=512"}, statements...), 4, 100).Close(); err != nil {
			f.Fatal(err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(whole)
		f.Add(whole[:len(whole)/2])
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		path := filepath.Join(dir, "x_0.db3")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := Open(path)
		if err != nil {
			if !errors.Is(err, ErrSQLite) {
				t.Fatal(err)
			}
			return
		}
		n := 0
		for m, err := range b.Messages(Range{}) {
			if n++; n > 1<<17 {
				t.Fatal("more messages than bytes")
			}
			if err == nil && m.Topic == nil {
				t.Fatal("a message without a topic")
			}
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
