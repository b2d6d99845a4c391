// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"bufio"
	"flag"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	updateVocabulary = flag.Bool("vocabulary.update", false, "lower the rows of testdata/vocabulary.txt to what is found")
	strictVocabulary = flag.Bool("vocabulary.strict", false, "fail, too, for rows that are higher than what is found (make lint)")
)

// vocabularyTable has the folders that are not clean yet, each with the number of expressions that it may have. The
// numbers only fall.
var vocabularyTable = filepath.Join("testdata", "vocabulary.txt")

// TestVocabulary: no folder has more expressions outside the vocabulary than its row allows; a folder without a row
// has none.
func TestVocabulary(t *testing.T) {
	allowed := readVocabularyTable(t)
	found := map[string][]string{}
	for _, v := range violations(t) {
		found[v.folder] = append(found[v.folder], v.place+": "+v.text)
	}
	if *updateVocabulary {
		writeVocabularyTable(t, lowered(allowed, found))
		return
	}
	for _, wrong := range vocabularyErrors(allowed, found, *strictVocabulary) {
		t.Error(wrong)
	}
}

// vocabularyErrors compares what is found with the table.
func vocabularyErrors(allowed map[string]int, found map[string][]string, strict bool) (wrong []string) {
	for _, folder := range slices.Sorted(maps.Keys(found)) {
		if n, most := len(found[folder]), allowed[folder]; n > most {
			wrong = append(wrong, fmt.Sprintf("%s: %d expressions outside the vocabulary, more than %d:\n  %s",
				folder, n, most, strings.Join(found[folder], "\n  ")))
		}
	}
	if strict {
		for _, folder := range slices.Sorted(maps.Keys(allowed)) {
			if n, most := len(found[folder]), allowed[folder]; n < most {
				wrong = append(wrong, fmt.Sprintf("%s: %d expressions outside the vocabulary, its row allows %d: lower it by -vocabulary.update", folder, n, most))
			}
		}
	}
	return wrong
}

// lowered returns the table with each row lowered to what is found. It raises none, and removes those of clean folders.
func lowered(allowed map[string]int, found map[string][]string) map[string]int {
	rows := map[string]int{}
	for folder, most := range allowed {
		if n := min(most, len(found[folder])); n > 0 {
			rows[folder] = n
		}
	}
	return rows
}

func readVocabularyTable(t *testing.T) map[string]int {
	t.Helper()
	f, err := os.Open(vocabularyTable)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var folder string
		var n int
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		if _, err := fmt.Sscanf(lines.Text(), "%s %d", &folder, &n); err != nil || n < 1 {
			t.Fatalf("%s: %q: %v", vocabularyTable, lines.Text(), err)
		}
		if old, twice := rows[folder]; !twice || n < old { // a merge may have both sides' rows
			rows[folder] = n
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func writeVocabularyTable(t *testing.T, rows map[string]int) {
	t.Helper()
	var text strings.Builder
	text.WriteString("# Folders with expressions outside the vocabulary, and how many they may have. The numbers only fall:\n" +
		"# go test ./internal/policy -run TestVocabulary$ -vocabulary.update\n")
	for _, folder := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&text, "%s %d\n", folder, rows[folder])
	}
	if err := os.WriteFile(vocabularyTable, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAvoidedExpressionsAreFound: metaphors are found, the same letters in other words and allowed phrases are not.
func TestAvoidedExpressionsAreFound(t *testing.T) {
	for _, tt := range []struct {
		folder, text, want string
	}{
		{"sim", "// Truth returns what is so.", "what is so"},
		{"sim", "there is no room in the queue", "room"},
		{"ros2", "the reader hands it on", "hands it"},
		{"ros2", "who is told? Nobody", "Nobody told"},
		{"web", splitName("TestNothingHoldsTheHandThatStopsTheWheels"), ""},
		{"web", splitName("TestTheViewerGoesOn"), "Goes On"},
		{"web", splitName("newTellerOf"), "Teller"},
		{"deploy/vm", "the guest's console", ""},
		{"fleet", "the guest's console", "guest"},
		{"camera/yuv", "stride of a row", ""},
		{"sim", "stride of the clock", "stride"},
		{"sim", "left-hand rule, handle, handler, by hand, hand-written", ""},
		{"sim", "a standard classroom, in bedrooms, a newcomer, installed stand-alone", ""},
		{"sim", "k stands for the gain; the robot stands still", ""},
		{"sim", "the robot stands beside it", "stands beside"},
	} {
		var got []string
		for _, found := range avoided(tt.folder, tt.text) {
			word, _, _ := strings.Cut(found, " (")
			got = append(got, word)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q: found %q, want %q", tt.folder, tt.text, got, tt.want)
		}
	}
}

// TestVocabularyTableOnlyFalls: more than a row allows is an error, less only when strict, and no update raises a row.
func TestVocabularyTableOnlyFalls(t *testing.T) {
	allowed := map[string]int{"same": 2, "more": 1, "less": 2, "clean": 3}
	found := map[string][]string{"same": {"a", "b"}, "more": {"a", "b"}, "less": {"a"}, "new": {"a"}}
	if got := vocabularyErrors(allowed, found, false); len(got) != 2 || !strings.HasPrefix(got[0], "more: 2") || !strings.HasPrefix(got[1], "new: 1") {
		t.Errorf("errors %q", got)
	}
	if got := vocabularyErrors(allowed, found, true); len(got) != 4 {
		t.Errorf("strict errors %q", got)
	}
	if got := lowered(allowed, found); !maps.Equal(got, map[string]int{"same": 2, "more": 1, "less": 1}) {
		t.Errorf("lowered to %v", got)
	}
}

// TestVocabularyIsRead: the search finds expressions in every kind of text, so that an empty result means clean.
func TestVocabularyIsRead(t *testing.T) {
	kinds := map[string]int{}
	for _, s := range sources(t) {
		eachText(s, func(_ token.Pos, text string) {
			switch {
			case strings.HasPrefix(text, "//"):
				kinds["comment"]++
			case strings.HasPrefix(text, `"`):
				kinds["string"]++
			case strings.HasPrefix(text, "Test "):
				kinds["test"]++
			}
		})
	}
	if kinds["comment"] < 10000 || kinds["string"] < 10000 || kinds["test"] < 1000 {
		t.Errorf("read %v: the search is broken", kinds)
	}
}
