// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/synctest"
)

// newScreen is a terminal of a width, and its reader.
func newScreen(columns int) (term *Terminal, out *bytes.Buffer) {
	out = &bytes.Buffer{}
	return &Terminal{w: NewOutlet(out), width: func() int { return columns }}, out
}

func TestTerminalKeepsTheStatusBelowTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term, out := newScreen(20)
		write := func(s string) {
			if _, err := term.Write([]byte(s)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		status := func(s string) {
			term.SetStatus(s)
			synctest.Wait()
		}
		write("first\n")
		status("x 1.0")
		status("x 1.0") // unchanged: nothing is sent
		write("second\n")
		status("x 2.0")
		term.Close()
		term.Close() // once is enough
		term.w.Close()
		want := "first\n" + ClearLine + "x 1.0" + ClearLine + "second\nx 1.0" + ClearLine + "x 2.0" + ClearLine + "x 2.0\n"
		if got := out.String(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})
}

func TestTerminalCutsWhatDoesNotFit(t *testing.T) {
	term, out := newScreen(8)
	term.SetStatus("θ 123456789")
	term.w.Close()
	if got, want := out.String(), ClearLine+"θ 12345"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTerminalOnlyOnTerminals(t *testing.T) {
	if NewTerminal(&bytes.Buffer{}) != nil {
		t.Error("a buffer is no terminal")
	}
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if NewTerminal(&Outlet{w: file}) != nil {
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

// Only the terminal itself writes control sequences; those in the lines and the status are escaped.
func TestTerminalEscapes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term, out := newScreen(40)
		term.SetStatus("x\x1b[2J\n")
		synctest.Wait()
		_, _ = term.Write([]byte("line\x1b[2J\n"))
		term.w.Close()
		want := ClearLine + `x\x1b[2J\n` + ClearLine + `line\x1b[2J` + "\n" + `x\x1b[2J\n`
		if got := out.String(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})
}

func TestOutletEscapes(t *testing.T) {
	var out bytes.Buffer
	o := NewOutlet(&out)
	_, _ = o.Write([]byte("a\x1b[2J\u202e\n"))
	o.Close()
	if got := out.String(); got != `a\x1b[2J\u202e`+"\n" {
		t.Errorf("%q", got)
	}
}
