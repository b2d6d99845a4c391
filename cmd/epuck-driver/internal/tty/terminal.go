// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"io"
	"os"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
)

const (
	ClearLine = "\r\x1b[K" // to the first column, and erase to the end of the line
	someWidth = 80         // columns, if the terminal's width is unknown
)

// Terminal keeps one status line at the bottom of a terminal while log lines scroll above it. It is safe for
// concurrent use. Its creator calls Close, which keeps the last status on the screen.
type Terminal struct {
	mu     sync.Mutex
	w      *Outlet
	width  func() int // columns
	status string
}

// NewTerminal returns a terminal if w is an outlet to one, else nil.
func NewTerminal(w io.Writer) *Terminal {
	out, ok := w.(*Outlet)
	if !ok {
		return nil
	}
	f, ok := File(out)
	if !ok || !IsTerminal(f) {
		return nil
	}
	return &Terminal{w: out, width: func() int { return columns(f) }}
}

// Write prints whole log lines above the status line.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.status == "" {
		return t.w.Write(p)
	}
	t.w.Replace("") // the cursor is behind the line
	t.w.raw([]byte(ClearLine + printable.Text(string(p)) + t.status))
	return len(p), nil
}

// SetStatus replaces the status line, which is cut to the terminal's width.
func (t *Terminal) SetStatus(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line = cut(printable.Line(line), t.width()-1)
	if line == t.status {
		return
	}
	t.status = line
	t.w.Replace(ClearLine + line)
}

// Close ends the status line, so that the shell's prompt begins on a line of its own.
func (t *Terminal) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.status != "" {
		t.w.Replace("") // the cursor is in the line
		t.w.raw([]byte(ClearLine + t.status + "\n"))
		t.status = ""
	}
}

// Fit cuts a status line to the width of f if that is a terminal, else to the usual width.
func Fit(f *os.File, line string) string { return cut(line, columns(f)-1) }

// cut shortens s to at most n runes.
func cut(s string, n int) string {
	runes := []rune(s)
	if n < 0 || len(runes) <= n {
		return s
	}
	return string(runes[:n])
}
