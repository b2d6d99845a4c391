// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

// logLevels are the levels of a program's loggers. They may change while loggers are in use.
type logLevels struct {
	mu    sync.Mutex
	given map[string]slog.Level     // by logger; "" is the default
	used  map[string]*slog.LevelVar // the effective level of each logger
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

// set sets a logger's level.
func (l *logLevels) set(logger string, level slog.Level) {
	l.change(func() { l.given[logger] = level })
}

// unset removes a logger's level.
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

// get returns a logger's own level, if set.
func (l *logLevels) get(logger string) (level slog.Level, given bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	level, given = l.given[logger]
	return level, given
}

// effectiveLocked returns the level of the nearest ancestor that has one.
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

// offerLoggerLevels creates the two services that return and set the levels of loggers.
func (n *Node) offerLoggerLevels() error {
	_, err1 := NewService(n, rcl_interfaces.GetLoggerLevels{}, "~/get_logger_levels", n.getLoggerLevels)
	_, err2 := NewService(n, rcl_interfaces.SetLoggerLevels{}, "~/set_logger_levels", n.setLoggerLevels)
	return errors.Join(err1, err2)
}

// getLoggerLevels returns the loggers' own levels, 0 if not set. The empty name means the default level.
func (n *Node) getLoggerLevels(_ context.Context, r *rcl_interfaces.GetLoggerLevelsRequest) (*rcl_interfaces.GetLoggerLevelsResponse, error) {
	out := new(rcl_interfaces.GetLoggerLevelsResponse)
	for _, name := range r.Names {
		answer := rcl_interfaces.LoggerLevel{Name: name}
		if level, given := n.args.levels.get(name); given {
			answer.Level = uint32(rosLevel(level))
		} else if name == "" {
			answer.Level = uint32(rcl_interfaces.LoggerLevelLogLevelInfo)
		}
		out.Levels = append(out.Levels, answer)
	}
	return out, nil
}

// setLoggerLevels sets loggers' levels; level 0 removes them.
func (n *Node) setLoggerLevels(_ context.Context, r *rcl_interfaces.SetLoggerLevelsRequest) (*rcl_interfaces.SetLoggerLevelsResponse, error) {
	out := new(rcl_interfaces.SetLoggerLevelsResponse)
	for _, l := range r.Levels {
		result := rcl_interfaces.SetLoggerLevelsResult{Successful: true}
		switch level, ok := levelOfROS(l.Level); {
		case l.Level == uint32(rcl_interfaces.LoggerLevelLogLevelUnknown):
			n.args.levels.unset(l.Name)
		case ok:
			n.args.levels.set(l.Name, level)
		default:
			result.Successful, result.Reason = false, fmt.Sprintf("invalid logger level %d: want 10, 20, 30, 40, 50 or, for none, 0", l.Level)
		}
		out.Results = append(out.Results, result)
	}
	return out, nil
}

// levelOfROS is the inverse of rosLevel.
func levelOfROS(level uint32) (slog.Level, bool) {
	for _, l := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError, LevelFatal} {
		if uint32(rosLevel(l)) == level {
			return l, true
		}
	}
	return 0, false
}
