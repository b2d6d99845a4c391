// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import "testing"

// writeRecording writes a file of the storage that a suffix stands for.
func writeRecording(t *testing.T, path, suffix string) {
	t.Helper()
	if suffix == ".mcap" {
		writeMCAP(t, path, true, entry{"/a", 1, "x"})
		return
	}
	must(t, makeSQLite(t, path, tables["Humble"], 2, 0).Close())
}

// writeSmallSQLite writes a database of small pages.
func writeSmallSQLite(t *testing.T, path string) {
	t.Helper()
	must(t, makeSQLite(t, path, append([]string{"PRAGMA page_size = 512"}, tables["Humble"]...), 20, 50).Close())
}
