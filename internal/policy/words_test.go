// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// riddle is a word that hides who does something. Say "a subscriber", "the caller", "the transport".
var riddle = regexp.MustCompile(`(?i)\b(nobody|somebody|anybody|whoever)\b`)

// TestCommentsSayWho: comments of Go files, but for generated ones, and Markdown.
func TestCommentsSayWho(t *testing.T) {
	var found []string
	for _, s := range sources(t) {
		if s.gen || s.path == "internal/policy/words_test.go" {
			continue
		}
		for _, group := range s.ast.Comments {
			for _, c := range group.List {
				if word := riddle.FindString(c.Text); word != "" {
					found = append(found, place(s.path, s.fset.Position(c.Pos()).Line)+": who is "+word+"?")
				}
			}
		}
	}
	for _, path := range documents(t) {
		if filepath.Ext(path) != ".md" {
			continue
		}
		data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if word := riddle.FindString(line); word != "" {
				found = append(found, place(path, i+1)+": who is "+word+"?")
			}
		}
	}
	if len(found) > 0 {
		t.Errorf("%d comments don't say who:\n  %s", len(found), strings.Join(found, "\n  "))
	}
}
