// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxWalk is the largest number of files that a reader opens to follow a value through one part of the program.
const maxWalk = 8

var (
	walkStep     = regexp.MustCompile("(?m)^\\| (\\d+) \\| `([^`]+)` \\| ([^:]+): ")
	walkFunction = regexp.MustCompile("`(\\w+)`")
)

// TestWalksNameWhatExists: each step of the walks in docs/explanation/structure.md names functions that its file
// declares, and no table has more than maxWalk steps.
func TestWalksNameWhatExists(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs/explanation/structure.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, m := range walkStep.FindAllStringSubmatch(string(text), -1) {
		steps++
		if len(m[1]) > 1 || m[1][0]-'0' > maxWalk {
			t.Errorf("step %s: more than %d", m[1], maxWalk)
		}
		code, err := os.ReadFile(filepath.Join(root, m[2]))
		if err != nil {
			t.Error(err)
			continue
		}
		functions := walkFunction.FindAllStringSubmatch(m[3], -1)
		if len(functions) == 0 {
			t.Errorf("%s: no function is named", m[2])
		}
		for _, f := range functions {
			if !declares(string(code), m[2], f[1]) {
				t.Errorf("%s does not declare %s", m[2], f[1])
			}
		}
	}
	if rows := strings.Count(string(text), "\n| ") - 2*strings.Count(string(text), "\n| ---"); steps != rows || steps < 20 {
		t.Errorf("%d steps in %d rows: the search is broken", steps, rows)
	}
}

// declares reports whether a source text declares a function or method of that name.
func declares(code, path, name string) bool {
	declaration := `(?m)^func (\([^)]*\) )?` + name + `\b`
	if filepath.Ext(path) == ".ts" {
		declaration = `(?m)^\s*(?:private |protected |public |async )*` + name + `\s*\(`
	}
	return regexp.MustCompile(declaration).MatchString(code)
}
