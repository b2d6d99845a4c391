// SPDX-License-Identifier: Apache-2.0

//go:build system && amd64 && !nosqlite

package bag

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/memorylimit"
)

// TestGiantMessageOfSQLiteIsNotLoaded: it gives an error with its number and size, and the messages around it are read.
func TestGiantMessageOfSQLiteIsNotLoaded(t *testing.T) {
	memorylimit.Run(t, 200<<20, func(t *testing.T) {
		path := madeSQLite(t, "PRAGMA synchronous = OFF", "PRAGMA journal_mode = OFF",
			fmt.Sprintf("UPDATE messages SET data = zeroblob(%d) WHERE timestamp = 1001", maxMessage+1))
		b, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		var read []int64
		var failed error
		for m, err := range b.Messages(Range{}) {
			if err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			read = append(read, m.LogTime)
		}
		if fmt.Sprint(read) != "[1000 1002 1004]" || !errors.Is(failed, ErrLarge) || !errors.Is(failed, ErrSQLite) {
			t.Errorf("%v, %v", read, failed)
		}
		if want := "run.db3: the message with the number 3 is too large: 268435457 bytes, the limit is 268435456"; failed != nil && !strings.Contains(failed.Error(), want) {
			t.Errorf("%v, want %q", failed, want)
		}
	})
}
