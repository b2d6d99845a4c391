// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"
	"testing"
)

// The README lists the commands as the program does.
func TestReadmeListsTheCommands(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "## Commands\n")
	section, _, ok := strings.Cut(rest, "\n## ")
	if !ok {
		t.Fatal("the README has no section on the commands")
	}
	listed := strings.Join(strings.Fields(section), " ")
	for _, c := range commands() {
		if row := strings.Join(strings.Fields("epuck-driver "+c.name+" "+c.args), " "); !strings.Contains(listed, row) {
			t.Errorf("the README lacks %q", row)
		}
	}
}
