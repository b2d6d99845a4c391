// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWalksNameExistingFunctions: each file of the walks and tables in structure.md declares the functions and types
// that its row names.
func TestWalksNameExistingFunctions(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "explanation", "structure.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| \\d+ \\| `([^`]+)` \\| ((?:`\\w+`(?:, )?)+)").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 20 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, row := range rows {
		code, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(row[1])))
		if err != nil {
			t.Error(err)
			continue
		}
		for name := range strings.SplitSeq(strings.ReplaceAll(row[2], "`", ""), ", ") {
			declared := regexp.MustCompile(`(?m)^(type |func (\([^)]*\) )?)` + name + `\b`)
			if filepath.Ext(row[1]) == ".ts" {
				declared = regexp.MustCompile(`(?m)^\s*(private |protected |export |async |function )*` + name + `\s*[(<]`)
			}
			if name != "" && !declared.Match(code) {
				t.Errorf("%s declares no function or type %s", row[1], name)
			}
		}
	}
}
