// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"log/slog"
	"strings"
	"sync"
)

// logLevels are the levels of a program's loggers. They may change while loggers
// are at work.
type logLevels struct {
	mu    sync.Mutex
	given map[string]slog.Level     // by logger; "" is for those without one above them
	used  map[string]*slog.LevelVar // the level in force of each logger that was made
}

func newLogLevels() *logLevels {
	return &logLevels{given: map[string]slog.Level{}, used: map[string]*slog.LevelVar{}}
}

// of returns the level of a logger, which follows later changes.
func (l *logLevels) of(logger string) *slog.LevelVar {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.used[logger]
	if v == nil {
		v = new(slog.LevelVar)
		v.Set(l.effectiveLocked(logger))
		l.used[logger] = v
	}
	return v
}

// set gives a logger a level.
func (l *logLevels) set(logger string, level slog.Level) {
	l.change(func() { l.given[logger] = level })
}

// unset takes a logger's level away.
func (l *logLevels) unset(logger string) {
	l.change(func() { delete(l.given, logger) })
}

func (l *logLevels) change(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
	for logger, v := range l.used {
		v.Set(l.effectiveLocked(logger))
	}
}

// get returns the level that a logger was given, if it was.
func (l *logLevels) get(logger string) (level slog.Level, given bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	level, given = l.given[logger]
	return level, given
}

// effectiveLocked returns the level of the nearest logger above that has one.
func (l *logLevels) effectiveLocked(logger string) slog.Level {
	for {
		if level, ok := l.given[logger]; ok {
			return level
		}
		if logger == "" {
			return slog.LevelInfo
		}
		logger = logger[:max(strings.LastIndexByte(logger, '.'), 0)]
	}
}
