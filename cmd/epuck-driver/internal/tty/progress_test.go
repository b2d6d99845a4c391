// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"bytes"
	"strings"
	"testing"
)

func TestProgressIsForTerminals(t *testing.T) {
	var text bytes.Buffer
	bar := NewProgress(&text)
	bar.Show(0.5, "x")
	bar.End()
	if text.Len() > 0 {
		t.Errorf("%q", text.String())
	}
	bar = &Progress{W: &text}
	bar.Show(0, "first and longest")
	bar.Show(0.5, "half")
	bar.Show(7, "more than all")
	bar.End()
	lines := strings.Split(text.String(), "\r")
	for i, want := range []string{"", "[" + strings.Repeat(" ", 30) + "]   0 % first and longest",
		"[" + strings.Repeat("#", 15) + strings.Repeat(" ", 15) + "]  50 % half", "[" + strings.Repeat("#", 30) + "] 700 % more than all", "", ""} {
		if i >= len(lines) || strings.TrimRight(lines[i], " ") != want {
			t.Errorf("line %d of %q, want %q", i, lines, want)
		}
	}
	if len(lines) > 2 && len(lines[1]) != len(lines[2]) {
		t.Error("a shorter text leaves the end of a longer one")
	}
}
