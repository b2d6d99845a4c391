// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test that docs/reference/rtps.md names exists, and every clause marked "yes" has one.
func TestDocs(t *testing.T) {
	doc, err := os.ReadFile("../../docs/reference/rtps.md")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, pattern := range []string{"*_test.go", "*/*_test.go", "*/*/*_test.go", "../interop/*_test.go", "../rmw/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(text)
		}
	}
	name := regexp.MustCompile("`(Test[A-Za-z0-9]+)`")
	for _, m := range name.FindAllStringSubmatch(string(doc), -1) {
		if !strings.Contains(code.String(), "func "+m[1]+"(") {
			t.Errorf("docs/reference/rtps.md names %s, which is no test", m[1])
		}
	}
	rows := regexp.MustCompile(`(?m)^\| [0-9]+.*$`).FindAllString(string(doc), -1)
	if len(rows) < 25 {
		t.Errorf("only %d clauses found", len(rows))
	}
	for _, row := range rows {
		if cells := strings.Split(row, "|"); strings.HasPrefix(strings.TrimSpace(cells[3]), "yes") && !name.MatchString(cells[4]) {
			t.Errorf("no test holds %s", row)
		}
	}
}
