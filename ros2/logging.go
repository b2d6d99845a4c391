// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// LevelFatal is ROS's level above error.
const LevelFatal = slog.LevelError + 4

// parseLevel parses ROS's names of levels.
func parseLevel(name string) (slog.Level, error) {
	switch strings.ToLower(name) {
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn", "warning":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	case "fatal":
		return LevelFatal, nil
	}
	return 0, fmt.Errorf("unknown level %q: want debug, info, warn, error or fatal", name)
}

// logLevel reads the value of --log-level: "level" or "logger:=level".
func (p *argParser) logLevel(value string) error {
	logger, name, named := strings.Cut(value, ":=")
	if !named {
		logger, name = "", value
	} else if logger == "" {
		return errors.New("the name of the logger is empty")
	}
	level, err := parseLevel(name)
	if err != nil {
		return err
	}
	p.out.levels.set(logger, level)
	return nil
}

// LogLevel returns the level of a logger: that of --log-level or set later by a service, by default info. A logger
// without its own level uses that of its nearest ancestor, names being separated by dots; of several arguments the last
// applies.
func (a Args) LogLevel(logger string) slog.Level {
	if a.levels == nil {
		return slog.LevelInfo
	}
	return a.levels.of(logger).Level()
}

// Logger returns a logger named name on top of base: its lines carry the name as the attribute [LoggerKey] and those
// below the name's --log-level are dropped. Without a base, and with --disable-stdout-logs, all are dropped.
func (a Args) Logger(base *slog.Logger, name string) *slog.Logger {
	if base == nil || !a.StdoutLogs() {
		return slog.New(slog.DiscardHandler)
	}
	if a.levels == nil {
		a.levels = newLogLevels()
	}
	return slog.New(levelHandler{base.Handler(), a.levels.of(name)}).With(slog.String(LoggerKey, name))
}

// LoggerKey is the attribute that holds the name of the logger.
const LoggerKey = "logger"

// levelHandler passes records of at least its level that the wrapped handler accepts.
type levelHandler struct {
	slog.Handler
	level *slog.LevelVar
}

func (h levelHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level.Level() && h.Handler.Enabled(ctx, l)
}

func (h levelHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return levelHandler{h.Handler.WithAttrs(attrs), h.level}
}

func (h levelHandler) WithGroup(name string) slog.Handler {
	return levelHandler{h.Handler.WithGroup(name), h.level}
}
