// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestCountLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"package x\n\n// a\nvar y int // b\n", 2},
		{"/* a\nb\n*/\nvar x int\n/* c */\nvar y int", 2},
		{"", 0},
		{"\tx := `\n\n// in text is taken for a comment\n`", 2},
	} {
		if got := countLines(strings.Split(c.text, "\n")); got != c.want {
			t.Errorf("%q has %d lines, want %d", c.text, got, c.want)
		}
	}
}
