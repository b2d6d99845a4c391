// SPDX-License-Identifier: Apache-2.0

package textplace_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/internal/textplace"
)

// Example finds the first character that a parser of digits refuses.
func Example() {
	fails := func(prefix []byte) bool { return bytes.ContainsRune(prefix, 'x') }
	fmt.Println(textplace.Find([]byte("12\n3x4\n"), fails))
	// Output: 2 2
}

// TestFind: the place of the first of some marks in a random text, by lines and characters.
func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[aäb\n#]{0,60}`).Draw(t, "text")
		line, column := textplace.Find([]byte(text), func(prefix []byte) bool { return bytes.ContainsRune(prefix, '#') })
		before, _, found := strings.Cut(text, "#")
		if !found {
			if line != 0 || column != 0 {
				t.Fatalf("%q: %d:%d", text, line, column)
			}
			return
		}
		wantLine := strings.Count(before, "\n") + 1
		wantColumn := len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
		if line != wantLine || column != wantColumn {
			t.Fatalf("%q: %d:%d, want %d:%d", text, line, column, wantLine, wantColumn)
		}
	})
}

// TestLongTextsAreNotSearched: not even once, since a text may come from the network.
func TestLongTextsAreNotSearched(t *testing.T) {
	calls := 0
	line, column := textplace.Find(make([]byte, 64<<10+1), func([]byte) bool { calls++; return true })
	if line != 0 || column != 0 || calls != 0 {
		t.Errorf("%d:%d after %d calls", line, column, calls)
	}
	textplace.Find(make([]byte, 64<<10), func([]byte) bool { calls++; return true })
	if calls == 0 || calls > 20 {
		t.Errorf("%d calls for 64 KiB", calls)
	}
}

// TestFindInAnEmptyText: also a text without characters may fail.
func TestFindInAnEmptyText(t *testing.T) {
	if line, column := textplace.Find(nil, func([]byte) bool { return true }); line != 1 || column != 1 {
		t.Errorf("%d:%d", line, column)
	}
}
