// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"io"
	"log/slog"

	"github.com/coreos/go-systemd/v22/journal"
)

// LogTo returns the handler for the destination of standard error: a terminal with a status line, systemd's journal,
// or anything else.
func LogTo(w io.Writer, term *Terminal) slog.Handler {
	if term != nil {
		return NewConsole(term)
	}
	if is, err := journal.StderrIsJournalStream(); err == nil && is {
		return newJournalConsole(w)
	}
	return NewConsole(w)
}

// IsLogged reports whether the output of a program to w may be kept in systemd's journal, which others can read: the
// program was started by systemd (it sets JOURNAL_STREAM, systemd.exec(5)), and w is not a terminal. A pipe counts,
// since the program at its other end may write to the journal.
func IsLogged(w io.Writer, getenv func(string) string) bool {
	if getenv("JOURNAL_STREAM") == "" {
		return false
	}
	f, ok := File(w)
	return !ok || !IsTerminal(f)
}
