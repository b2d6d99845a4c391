// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// cited is a file of the firmware with the first line that is meant.
var cited = regexp.MustCompile(`(\w+\.c)[` + "`" + `,]* (\d+)((?:[ ,–]|to|and|\d)*)`)

// firmwareLines gives the lines of each file that a text cites, as "gumstix.c 50".
func firmwareLines(text string) (list []string) {
	for _, c := range cited.FindAllStringSubmatch(text, -1) {
		for _, n := range regexp.MustCompile(`\d+`).FindAllString(c[2]+c[3], -1) {
			list = append(list, c[1]+" "+n)
		}
	}
	return list
}

// Each of the 16 rows of what was found in the robot's firmware names a test, and one of its tests the firmware's line.
func TestFirmwareRowsHaveTests(t *testing.T) {
	texts := map[string]string{} // of each test, with its comment
	for _, s := range sources(t) {
		for _, d := range s.AST.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.Test && f.Recv == nil {
				from, to := s.Fset.Position(f.Pos()).Line, s.Fset.Position(f.End()).Line
				texts[f.Name.Name] += f.Doc.Text() + strings.Join(s.Text[from-1:to], "\n")
			}
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "firmware.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| \d+ \|.*$`).FindAllString(string(text), -1)
	if len(rows) != 16 {
		t.Fatalf("%d rows, not 16", len(rows))
	}
	for _, row := range rows {
		cells := strings.Split(row, "|")
		where, tests := firmwareLines(cells[3]), namedTest.FindAllString(cells[5], -1)
		if len(where) == 0 || len(tests) == 0 {
			t.Errorf("row%s cites lines %v and names tests %v", cells[1], where, tests)
			continue
		}
		found := false
		for _, name := range tests {
			for _, line := range firmwareLines(strings.Join(strings.Fields(texts[name]), " ")) {
				for _, w := range where {
					found = found || line == w
				}
			}
		}
		if !found {
			t.Errorf("row%s: none of %v names a line of %v", cells[1], tests, where)
		}
	}
}
