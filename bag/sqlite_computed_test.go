// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !nosqlite

package bag

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestComputedTablesAreRefused: a view that gives rows without end, each of 1 GB, is not even counted.
func TestComputedTablesAreRefused(t *testing.T) {
	for name, statements := range map[string][]string{
		"messages": {
			"ALTER TABLE messages RENAME TO old",
			"CREATE VIEW messages AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) " +
				"SELECT i AS id, 1 AS topic_id, i AS timestamp, zeroblob(1000000000) AS data FROM n",
		},
		"topics": {
			"ALTER TABLE topics RENAME TO old",
			"CREATE VIEW topics AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) " +
				"SELECT i AS id, '/a' AS name, '' AS type, '' AS serialization_format, '' AS offered_qos_profiles FROM n",
		},
	} {
		path := filepath.Join(t.TempDir(), "run.db3")
		db := makeSQLite(t, path, tables["Humble"], 3, 10)
		for _, s := range statements {
			if _, err := db.ExecContext(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, ErrSQLite) || !strings.Contains(err.Error(), path+": "+name+" is not an ordinary table") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
