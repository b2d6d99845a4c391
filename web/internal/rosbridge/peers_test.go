// SPDX-License-Identifier: Apache-2.0

//go:build peers

package rosbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/socket"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// TestClientsOfRosbridge: roslib's actions, sent and offered, roslib as Foxglove's connection to rosbridge uses it, and
// the messages that roslibpy sends.
func TestClientsOfRosbridge(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	network := ros2test.NewNetwork()
	robot, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: network.NewTransport(), Standard: true})
	must(err)
	defer func() { must(robot.Close()) }()
	chatter, err := ros2.NewPublisher[std_msgs.String](robot, "chatter", ros2.DefaultQoS())
	must(err)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for i := 0; ctx.Err() == nil; i++ {
			<-ticker.C
			_ = chatter.Publish(&std_msgs.String{Data: fmt.Sprint("message ", i)})
		}
	}()
	server, err := action.NewServer(robot, example_interfaces.Fibonacci{}, "fibonacci", action.Config[fibonacciGoal, fibonacciResult, feedback]{
		Accept: func(goal *fibonacciGoal) error {
			if goal.Order < 0 {
				return fmt.Errorf("order %d", goal.Order)
			}
			return nil
		},
		Execute: func(ctx context.Context, g *action.Goal[fibonacciGoal, feedback]) (*fibonacciResult, error) {
			result := &fibonacciResult{}
			for i := range g.Goal.Order {
				result.Sequence = append(result.Sequence, i)
				if err := g.Feedback(&feedback{Sequence: result.Sequence}); err != nil {
					return result, err
				}
				select {
				case <-ctx.Done():
					return result, context.Cause(ctx)
				case <-time.After(100 * time.Millisecond):
				}
			}
			return result, nil
		},
	})
	must(err)
	defer func() { must(server.Close()) }()
	h, err := hub.New(hub.Config{Transport: network.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "_hub"}, Types: msgs.Definition})
	must(err)
	who := teleop.New(teleop.Config{Open: teleop.OnHub(h)})
	bridge := New(h, who, 0)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, err := socket.Accept(w, r, websocket.AcceptOptions{}); err == nil {
			_ = bridge.Serve(ctx, conn, guard.Drive, "a test")
		}
	}))
	defer site.Close()
	cmd := exec.Command("node", "testdata/protocol.mjs", strings.Replace(site.URL, "http", "ws", 1))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	must(err)
	cancel()
	who.Close()
	must(h.Close())
	var report struct {
		Failed                   []string
		Feedback                 int
		Result                   struct{ Sequence []int }
		Canceled, Rejected       string
		PageResult               []int
		PageFailed, PageCanceled string
		Definition, Raw          string
		Decoded                  string
		Actions                  []string
		Twice                    []int
		Time                     bool
		Floats                   []any
	}
	must(json.Unmarshal(out, &report))
	t.Logf("%s", out)
	switch {
	case len(report.Failed) > 0:
		t.Fatal(report.Failed)
	case report.Feedback != 3, !slices.Equal(report.Result.Sequence, []int{0, 1, 2}), !strings.Contains(report.Canceled, "canceled"), !strings.Contains(report.Rejected, "rejected"):
		t.Errorf("goals: %+v", report)
	case !slices.Equal(report.PageResult, []int{0, 1}), !strings.Contains(report.PageFailed, "aborted"), !strings.Contains(report.PageCanceled, "canceled"):
		t.Errorf("the page's action: %+v", report)
	case report.Definition != "string data\n", !strings.HasPrefix(report.Raw, "message "), report.Decoded == "", !slices.Contains(report.Actions, "/fibonacci"):
		t.Errorf("types: %+v", report)
	case !slices.Equal(report.Twice, []int{0, 0}):
		t.Errorf("messages came twice: %+v", report)
	case !report.Time, fmt.Sprint(report.Floats) != "[<nil> <nil> 1.5]":
		t.Errorf("roslibpy: %+v", report)
	}
}
