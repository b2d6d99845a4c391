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
	db := makeSQLite(t, path, append([]string{"PRAGMA page_size = 512"}, tables["Humble"]...), 20, 50)
	for _, s := range []string{"DROP INDEX timestamp_idx", "VACUUM"} { // the last page is of messages
		_, err := db.ExecContext(t.Context(), s)
		must(t, err)
	}
	must(t, db.Close())
}

// writePackedSQLite writes a database with a message of /a twice, at 1 and 2.
func writePackedSQLite(t *testing.T, path, data string) {
	t.Helper()
	db := makeSQLite(t, path, tables["Humble"], 0, 0)
	alter(t, db, "DELETE FROM messages")
	for at := 1; at <= 2; at++ {
		_, err := db.ExecContext(t.Context(), putMessage, 1, at, []byte(data))
		must(t, err)
	}
	must(t, db.Close())
}
