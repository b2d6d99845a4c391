// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"io"
	"log/slog"

	"github.com/coreos/go-systemd/v22/journal"
)

// LogTo gives the handler that fits where standard error goes: a terminal with a status line, systemd's journal, or
// anything else.
func LogTo(w io.Writer, term *Terminal) slog.Handler {
	if term != nil {
		return NewConsole(term)
	}
	if is, err := journal.StderrIsJournalStream(); err == nil && is {
		return newJournalConsole(w)
	}
	return NewConsole(w)
}
