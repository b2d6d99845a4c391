// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// levels are pairs of a logger and its level.
func levels(pairs ...any) (out []rcl_interfaces.LoggerLevel) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, rcl_interfaces.LoggerLevel{Name: pairs[i].(string), Level: uint32(pairs[i+1].(int))})
	}
	return out
}

// withLoggers runs a check with a node /r/n with logger services, and another logger of the same arguments.
func withLoggers(t *testing.T, args string, check func(a asker, node, network *slog.Logger, text *bytes.Buffer)) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		var text bytes.Buffer
		base := slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug}))
		parsed := parse(t, args)
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Namespace: "/r", Transport: tr, Logger: base, Args: parsed,
			Standard: true, LoggerServices: true})
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		check(asker{t, newNode(t, tr, "asker")}, n.Logger(), parsed.Logger(base, "rmw"), &text)
	})
}

func getLevels(a asker, names ...string) []rcl_interfaces.LoggerLevel {
	a.Helper()
	return ask(a, rcl_interfaces.GetLoggerLevels{}, "get_logger_levels", &rcl_interfaces.GetLoggerLevelsRequest{Names: names}).Levels
}

func setLevels(a asker, pairs ...any) []rcl_interfaces.SetLoggerLevelsResult {
	a.Helper()
	return ask(a, rcl_interfaces.SetLoggerLevels{}, "set_logger_levels", &rcl_interfaces.SetLoggerLevelsRequest{Levels: levels(pairs...)}).Results
}

// Levels as returned by rclpy of ROS 2 Jazzy: a logger's own, 0 where it has none; the empty name is the default.
func TestGetLoggerLevels(t *testing.T) {
	for args, want := range map[string][]rcl_interfaces.LoggerLevel{
		"": levels("", 20, "r.n", 0, "r", 0, "foo", 0),
		"--ros-args --log-level r.n:=debug --log-level warn --log-level r:=fatal": levels("", 30, "r.n", 10, "r", 50, "foo", 0),
	} {
		withLoggers(t, args, func(a asker, _, _ *slog.Logger, _ *bytes.Buffer) {
			if diff := cmp.Diff(want, getLevels(a, "", "r.n", "r", "foo")); diff != "" {
				a.Errorf("%q (-want +got):\n%s", args, diff)
			}
		})
	}
}

func TestSetLoggerLevels(t *testing.T) {
	withLoggers(t, "", func(a asker, node, network *slog.Logger, text *bytes.Buffer) {
		said := func(what string, want ...string) {
			a.Helper()
			text.Reset()
			node.Debug("node debug")
			node.Warn("node warn")
			network.Debug("network debug")
			network.Warn("network warn")
			for _, line := range []string{"node debug", "node warn", "network debug", "network warn"} {
				wanted := strings.Contains(strings.Join(want, "|"), line)
				if got := strings.Contains(text.String(), line); got != wanted {
					a.Errorf("%s: %q logged: %v", what, line, got)
				}
			}
		}
		said("by default", "node warn", "network warn")
		for _, r := range setLevels(a, "r.n", 10) {
			if !r.Successful || r.Reason != "" {
				a.Errorf("%+v", r)
			}
		}
		said("the node at debug", "node debug", "node warn", "network warn")
		setLevels(a, "", 40)
		said("the default at error", "node debug", "node warn")
		setLevels(a, "r", 10, "r.n", 0, "rmw", 10)
		said("the namespace at debug", "node debug", "node warn", "network debug", "network warn")
		setLevels(a, "r", 0)
		said("nothing but the default for the node", "network debug", "network warn")
		for _, bad := range []int{11, 1, 60, 256 + 10} {
			r := setLevels(a, "rmw", bad)
			if r[0].Successful || !strings.Contains(r[0].Reason, "invalid logger level") {
				a.Errorf("level %d: %+v", bad, r)
			}
		}
		said("after refusals", "network debug", "network warn")
	})
}

// Without the option no other node can change the levels.
func TestLoggerServicesAreAnOption(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := standardNode(t, tr, nil, "")
		for _, e := range n.Graph().Endpoints {
			if strings.Contains(e.Topic, "logger") {
				t.Errorf("%s is offered", e.Topic)
			}
		}
	})
}
