// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// act serves an action on the node: it counts a number each second; below 0 it rejects the goal, 13 it aborts.
func (w *world) act() {
	w.t.Helper()
	s, err := action.NewServer(w.node, example_interfaces.Fibonacci{}, "count", action.Config[
		example_interfaces.FibonacciGoal, example_interfaces.FibonacciResult, example_interfaces.FibonacciFeedback]{
		Accept: func(g *example_interfaces.FibonacciGoal) error {
			if g.Order < 0 {
				return errors.New("below 0")
			}
			return nil
		},
		Execute: func(ctx context.Context, g *action.Goal[example_interfaces.FibonacciGoal, example_interfaces.FibonacciFeedback]) (
			*example_interfaces.FibonacciResult, error) {
			r := &example_interfaces.FibonacciResult{}
			for i := range g.Goal.Order {
				select {
				case <-ctx.Done():
					return r, context.Cause(ctx)
				case <-time.After(time.Second):
				}
				r.Sequence = append(r.Sequence, i)
				if err := g.Feedback(&example_interfaces.FibonacciFeedback{Sequence: r.Sequence}); err != nil {
					return r, err
				}
			}
			if g.Goal.Order == 13 {
				return r, errors.New("unlucky")
			}
			return r, nil
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = s.Close() })
}

// noID replaces goal IDs, which are random.
func noID(text string) string { return regexp.MustCompile(`[0-9a-f]{32}`).ReplaceAllString(text, "ID") }

func TestActionSendGoal(t *testing.T) {
	inWorld(t, func(w *world) {
		t := w.t
		w.act()
		const head = "Waiting for an action server to become available...\nSending goal:\n     order: 2\n\nGoal accepted with ID: ID\n\n"
		for line, want := range map[string]string{
			"action send_goal /robot/count example_interfaces/action/Fibonacci '{order: 2}'": head +
				"Result:\n    sequence:\n- 0\n- 1\n\nGoal finished with status: SUCCEEDED\n",
			"action send_goal -f /robot/count example_interfaces/Fibonacci '{order: 2}'": head +
				"Feedback:\n    sequence:\n- 0\n\nFeedback:\n    sequence:\n- 0\n- 1\n\n" +
				"Result:\n    sequence:\n- 0\n- 1\n\nGoal finished with status: SUCCEEDED\n",
		} {
			if r := w.run(line); noID(r.out) != want || r.err != "" || r.status != shell.ExitOK {
				t.Errorf("%s: status %d\n%s%s\nwant\n%s", line, r.status, r.out, r.err, want)
			}
		}
		if r := w.run("action send_goal /robot/count example_interfaces/action/Fibonacci '{order: 13}'"); !strings.Contains(r.out, "status: ABORTED\n") {
			t.Errorf("%+v", r)
		}
		if r := w.run("action send_goal /robot/count example_interfaces/action/Fibonacci '{order: -1}'"); !strings.HasSuffix(r.out, "Goal was rejected.\n") ||
			r.status != shell.ExitFailed {
			t.Errorf("%+v", r)
		}
	})
}

// Ctrl-C cancels the goal, too.
func TestActionSendGoalIsInterrupted(t *testing.T) {
	inWorld(t, func(w *world) {
		t := w.t
		w.act()
		r := w.runFor("action send_goal /robot/count example_interfaces/action/Fibonacci '{order: 1000}'", 5*time.Second)
		if !strings.HasSuffix(r.out, "Canceling goal...\nGoal canceled.\n") || r.status != shell.ExitInterrupted {
			t.Errorf("%+v", r)
		}
		c, err := action.NewClient(w.node, example_interfaces.Fibonacci{}, "count")
		if err != nil {
			t.Fatal(err)
		}
		if err := c.CancelAll(t.Context()); !errors.Is(err, action.ErrRejected) {
			t.Error("the goal continues:", err)
		}
	})
}

func TestActionErrors(t *testing.T) {
	inWorld(t, func(w *world) {
		t := w.t
		w.act()
		w.wantError("action send_goal /robot/count example_interfaces/action/Nothing '{}'", "The passed action type is invalid", shell.ExitFailed)
		w.wantError("action send_goal /robot/count std_msgs/msg/Bool '{}'", "The passed action type is invalid", shell.ExitFailed)
		w.wantError("action send_goal /robot/count example_interfaces/action/Fibonacci '{x: 1}'", "Failed to populate message fields", shell.ExitFailed)
		r := w.runFor("action send_goal /unserved example_interfaces/action/Fibonacci '{}'", time.Minute)
		if r.out != "Waiting for an action server to become available...\n" || r.status != shell.ExitInterrupted {
			t.Errorf("%+v", r)
		}
	})
}

func TestActionListAndInfo(t *testing.T) {
	inWorld(t, func(w *world) {
		t := w.t
		w.act()
		c, err := action.NewClient(w.join("asker", "/"), example_interfaces.Fibonacci{}, "/robot/count")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		w.want("action list", "/robot/count\n")
		w.want("action list -t", "/robot/count [example_interfaces/action/Fibonacci]\n")
		w.want("action list -c", "1\n")
		w.want("action info /robot/count", "Action: /robot/count\nAction clients: 1\n    /asker\nAction servers: 1\n    /robot/driver\n")
		w.want("action info -t robot/count", "Action: /robot/count\nAction clients: 1\n    /asker [example_interfaces/action/Fibonacci]\n"+
			"Action servers: 1\n    /robot/driver [example_interfaces/action/Fibonacci]\n")
		w.want("action info -c /robot/count", "Action: /robot/count\nAction clients: 1\nAction servers: 1\n")
		w.want("action info /none", "Action: /none\nAction clients: 0\nAction servers: 0\n")
		for line, want := range map[string]string{
			"action info /ro":                                          "/robot/count",
			"action send_goal /robot/count ":                           "example_interfaces/action/Fibonacci",
			"action send_goal /x example_interfaces/":                  "example_interfaces/action/Fibonacci",
			"action send_goal /x example_interfaces/action/Fibonacci ": "{order: 0}",
		} {
			words := split(line)
			if strings.HasSuffix(line, " ") {
				words = append(words, "")
			}
			if got := strings.Join(w.complete(words), " "); got != want {
				t.Errorf("%q: %s, want %s", line, got, want)
			}
		}
	})
}
