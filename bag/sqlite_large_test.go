// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// madeSQLite writes a file of Humble with three messages and does what statements say.
func madeSQLite(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.db3")
	db := makeSQLite(t, path, tables["Humble"], 3, 0)
	alter(t, db, statements...)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func alter(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func TestLargeTablesOfSQLiteAreRefused(t *testing.T) {
	for want, statements := range map[string][]string{
		"topics has 2 rows of 67108": {fmt.Sprintf("UPDATE topics SET name = CAST(zeroblob(%d) AS TEXT) WHERE id = 1", maxTableBytes)},
		"topics has 65538 rows": {"WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n LIMIT 65536) " +
			"INSERT INTO topics SELECT i, '/t' || i, 'a/msg/B', 'cdr', '' FROM n"},
		"message_definitions has 1 rows of": {"CREATE TABLE message_definitions(topic_type TEXT, encoding TEXT, encoded_message_definition TEXT)",
			fmt.Sprintf("INSERT INTO message_definitions VALUES ('std_msgs/msg/String', 'ros2msg', CAST(zeroblob(%d) AS TEXT))", maxTableBytes)},
	} {
		if !suite.Long && !strings.Contains(want, "65538") {
			continue // 64 MiB of text take seconds
		}
		if _, err := Open(madeSQLite(t, statements...)); !errors.Is(err, ErrLarge) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestComputedColumnsAreRefused(t *testing.T) {
	path := madeSQLite(t, "ALTER TABLE messages RENAME TO old",
		"CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB AS (hex(zeroblob(400))))",
		"INSERT INTO messages SELECT id, topic_id, timestamp FROM old")
	if _, err := Open(path); !errors.Is(err, ErrSQLite) || !strings.Contains(err.Error(), `messages has the computed column "data"`) {
		t.Error(err)
	}
}
