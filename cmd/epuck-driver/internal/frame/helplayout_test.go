// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"pgregory.net/rapid"
)

// TestParagraphsKeepTheWords: a wrapped text has the words of the text in order, and no line that could be broken is
// too long. Lines that begin with a space stay lines of their own.
func TestParagraphsKeepTheWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-z]{1,12}[ \n]){0,60}`).Draw(t, "text")
		lines := paragraphs(text)
		if !slices.Equal(strings.Fields(strings.Join(lines, "\n")), strings.Fields(text)) {
			t.Fatalf("%q", lines)
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > helpWidth {
				t.Fatalf("%q", line)
			}
		}
	})
	got := paragraphs("a\nb\n\nArguments:\n  x   one\n  y   " + strings.Repeat("two ", 25))
	want := []string{"a b", "", "Arguments:", "  x   one", "  y   " + strings.TrimSpace(strings.Repeat("two ", 18)), "      " + strings.TrimSpace(strings.Repeat("two ", 7))}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestLongExamplesAreContinued: as a shell continues a line.
func TestLongExamplesAreContinued(t *testing.T) {
	line := "  epuck-driver do " + strings.Repeat("--flag value ", 8)
	cmd := &cobra.Command{Example: strings.TrimSpace(line) + "\n  epuck-driver do" + strings.Repeat(" ", 60) + "explained"}
	cmd.Example = "  " + cmd.Example
	got := examplesOf(cmd)
	if len(got) != 3 || !strings.HasSuffix(got[0], " \\") || got[2] != "  epuck-driver do  explained" {
		t.Errorf("%q", got)
	}
	if joined := strings.ReplaceAll(strings.Join(got[:2], "\n"), "\\\n", ""); !slices.Equal(strings.Fields(joined), strings.Fields(line)) {
		t.Errorf("%q", joined)
	}
}
