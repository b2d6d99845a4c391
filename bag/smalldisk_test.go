// SPDX-License-Identifier: Apache-2.0

//go:build system && amd64 && !nosqlite

package bag

import (
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
)

// TestSQLiteBagIsReadOnAFullDisk: reading needs no space, neither for a journal nor for temporary tables.
func TestSQLiteBagIsReadOnAFullDisk(t *testing.T) {
	smalldisk.Run(t, 2<<20, func(t *testing.T, disk string) {
		path := filepath.Join(disk, "run.db3")
		db := makeSQLite(t, path, tables["Humble"], 200, 2000)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		smalldisk.Fill(t, disk, 0)
		t.Setenv("TMPDIR", disk)
		b, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		n := 0
		for _, err := range b.Messages(Range{}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 201 {
			t.Errorf("%d messages, want 201", n)
		}
	})
}
