// SPDX-License-Identifier: Apache-2.0

// Package tty implements a terminal's output and input: log lines, a status line below them, progress bars, keys. A
// terminal that accepts no output blocks none of it.
package tty

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Console writes log lines as ROS 2 programs do: [LEVEL] [seconds.nanoseconds] [logger]: message key=value.
// Loggers made from it share the writer and its lock. Control characters are escaped.
type Console struct {
	mu     *sync.Mutex
	w      io.Writer
	logger string       // of the node
	attrs  slog.Handler // formats the attributes after the message
	buf    *lineBuffer  // where attrs writes
	head   func(line []byte, logger string, r *slog.Record) []byte
}

// lineBuffer holds one line; it is reused.
type lineBuffer struct{ b []byte }

func (l *lineBuffer) Write(p []byte) (int, error) {
	l.b = append(l.b, p...)
	return len(p), nil
}

// NewConsole returns a handler that writes to w. It writes all levels: the nodes filter them (--log-level).
func NewConsole(w io.Writer) *Console {
	buf := &lineBuffer{}
	return &Console{
		mu: &sync.Mutex{}, w: w, buf: buf, logger: "epuck-driver", head: rosHead,
		attrs: slog.NewTextHandler(buf, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: onlyOwn}),
	}
}

// newJournalConsole returns a handler for a standard error that is connected to systemd's journal, which adds the
// time and interprets the priority.
func newJournalConsole(w io.Writer) *Console {
	c := NewConsole(w)
	c.head = journalHead
	return c
}

// rosHead appends the beginning of a line as in ROS 2's own programs.
func rosHead(line []byte, logger string, r *slog.Record) []byte {
	return fmt.Appendf(line, "[%s] [%d.%09d] [%s]: ", levelName(r.Level), r.Time.Unix(), r.Time.Nanosecond(), logger)
}

// journalHead appends the beginning of a line, with the priority for the journal (sd-daemon(3), SyslogLevelPrefix).
func journalHead(line []byte, logger string, r *slog.Record) []byte {
	return fmt.Appendf(line, "<%d>[%s] [%s]: ", priority(r.Level), levelName(r.Level), logger)
}

// priority returns the syslog priority of a level (RFC 5424, 6.2.1).
func priority(l slog.Level) int {
	switch {
	case l >= ros2.LevelFatal:
		return 2
	case l >= slog.LevelError:
		return 3
	case l >= slog.LevelWarn:
		return 4
	case l >= slog.LevelInfo:
		return 6
	default:
		return 7
	}
}

// onlyOwn removes the attributes that are in the beginning of the line.
func onlyOwn(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}

// Enabled returns true for all levels.
func (c *Console) Enabled(context.Context, slog.Level) bool { return true }

// Handle writes one line.
func (c *Console) Handle(ctx context.Context, r slog.Record) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buf.b = append(append(c.head(c.buf.b[:0], printable.Line(c.logger), &r), printable.Line(r.Message)...), ' ')
	if err := c.attrs.Handle(ctx, r); err != nil {
		return err
	}
	line := c.buf.b
	if n := len(line); n > 1 && line[n-2] == ' ' { // no attributes
		line = append(line[:n-2], '\n')
	}
	_, err := c.w.Write(line)
	return err
}

// WithAttrs keeps the node's name for the line's beginning and the rest for its end.
func (c *Console) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *c
	var rest []slog.Attr
	for _, a := range attrs {
		if a.Key == ros2.LoggerKey {
			next.logger = a.Value.String()
		} else {
			rest = append(rest, a)
		}
	}
	next.attrs = c.attrs.WithAttrs(rest)
	return &next
}

// WithGroup prefixes the attributes that follow.
func (c *Console) WithGroup(name string) slog.Handler {
	next := *c
	next.attrs = c.attrs.WithGroup(name)
	return &next
}

func levelName(l slog.Level) string {
	switch {
	case l >= ros2.LevelFatal:
		return "FATAL"
	case l >= slog.LevelError:
		return "ERROR"
	case l >= slog.LevelWarn:
		return "WARN"
	case l >= slog.LevelInfo:
		return "INFO"
	default:
		return "DEBUG"
	}
}
