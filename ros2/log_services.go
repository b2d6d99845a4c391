// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

// offerLoggerLevels makes the two services that show and change the levels of
// loggers.
func (n *Node) offerLoggerLevels() error {
	_, err1 := NewService(n, rcl_interfaces.GetLoggerLevels{}, "~/get_logger_levels", n.getLoggerLevels)
	_, err2 := NewService(n, rcl_interfaces.SetLoggerLevels{}, "~/set_logger_levels", n.setLoggerLevels)
	return errors.Join(err1, err2)
}

// getLoggerLevels tells the levels that loggers were given: 0 where they have none
// of their own. The empty name is the default.
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

// setLoggerLevels gives loggers levels, or takes theirs away with level 0.
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

// levelOfROS is the reverse of rosLevel.
func levelOfROS(level uint32) (slog.Level, bool) {
	for _, l := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError, LevelFatal} {
		if uint32(rosLevel(l)) == level {
			return l, true
		}
	}
	return 0, false
}
