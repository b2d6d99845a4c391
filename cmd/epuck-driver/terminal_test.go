// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestTerminalKeepsTheStatusBelowTheLog(t *testing.T) {
	var out bytes.Buffer
	term := &terminal{w: &out, width: func() int { return 20 }}
	write := func(s string) {
		if _, err := term.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	write("first\n")
	term.SetStatus("x 1.0")
	term.SetStatus("x 1.0") // unchanged: nothing is sent
	write("second\n")
	term.SetStatus("x 2.0")
	term.Close()
	term.Close() // once is enough
	want := "first\n" + clearLine + "x 1.0" + clearLine + "second\n" + "x 1.0" + clearLine + "x 2.0" + "\n"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTerminalCutsWhatDoesNotFit(t *testing.T) {
	var out bytes.Buffer
	term := &terminal{w: &out, width: func() int { return 8 }}
	term.SetStatus("θ 123456789")
	if got, want := out.String(), clearLine+"θ 12345"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTerminalOnlyOnTerminals(t *testing.T) {
	if newTerminal(&bytes.Buffer{}) != nil {
		t.Error("a buffer is no terminal")
	}
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if newTerminal(file) != nil {
		t.Error("a file is no terminal")
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"αβγδ", 2, "αβ"}, {"abc", -1, "abc"}, {"", 0, ""}} {
		if got := cut(c.in, c.n); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
	if strings.ContainsRune(cut("θθθ", 1), '�') {
		t.Error("a rune was split")
	}
}
