// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestToolsReportForWhatTheyWait: other types, quality of service, names, and silence.
func TestToolsReportForWhatTheyWait(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"topic pub --once /robot/stamped geometry_msgs/msg/Twist", "waiting for a subscription of /robot/stamped: " +
			"/robot/driver uses the type geometry_msgs/msg/TwistStamped, not geometry_msgs/msg/Twist\n"},
		{"topic pub /robot/stamped geometry_msgs/msg/Twist", "No subscription of /robot/stamped receives the messages: " +
			"/robot/driver uses the type geometry_msgs/msg/TwistStamped, not geometry_msgs/msg/Twist\n"},
		{"topic pub --once --qos-reliability best_effort /robot/stamped geometry_msgs/msg/TwistStamped",
			"/robot/driver requests more than is offered here (reliability)"},
		{"topic pub --once /stamped geometry_msgs/msg/TwistStamped", "no node has one; did you mean '/robot/stamped'?"},
		{"topic echo /robot/fast std_msgs/msg/Int32", "waiting for a publisher of /robot/fast: /robot/driver uses the type std_msgs/msg/Bool, not std_msgs/msg/Int32\n"},
		{"topic echo --qos-reliability reliable /robot/fast", "/robot/driver offers less than is requested here (reliability)"},
		{"topic echo /robot/fast", "waiting for a message on /robot/fast: published by /robot/driver, none has arrived yet\n"},
		{"topic hz /robot/fast", "waiting for a message on /robot/fast: published by /robot/driver, none has arrived yet\n"},
		{"topic bw /fast", "waiting for a publisher of /fast: no node has one; did you mean '/robot/fast'?\n"},
		{"topic delay /robot/stamped", "waiting for a publisher of /robot/stamped: no node has one\n"},
		{"service call /robot/slow std_srvs/srv/Trigger", "waiting for the service /robot/slow: its server in /robot/driver has not answered yet\n"},
		{"param get /driver x", "waiting for the node /driver: no node has this name; did you mean '/robot/driver'?\nNode not found; did you mean '/robot/driver'?\n"},
		{"param list /missing", "waiting for the node /missing: no node has this name\nNode not found\n"},
		{"param set missing x 1", "waiting for the node /missing: no node has this name\nNode not found\n"},
		{"param describe /missing x", "waiting for the node /missing: no node has this name\nNode not found\n"},
		{"param dump /missing", "waiting for the node /missing: no node has this name\nNode not found\n"},
		{"node info /missing", "waiting for the node /missing: no node has this name\nUnable to find node '/missing'\n"},
		{"lifecycle get /missing", "waiting for the node /missing: no node has this name\nNode not found\n"},
		{"action send_goal /count example_interfaces/action/Fibonacci {}", "waiting for a server of the action /count: no node has one; did you mean '/robot/count'?\n"},
	} {
		t.Run(c.line, func(t *testing.T) {
			inWorld(t, func(w *world) {
				ended := make(chan struct{})
				defer close(ended)
				if _, err := ros2.Listen(w.node, "stamped", ros2.DefaultQoS(), func(*geometry_msgs.TwistStamped) {}); err != nil {
					t.Fatal(err)
				}
				if _, err := ros2.NewPublisher[std_msgs.Bool](w.node, "fast", ros2.SensorDataQoS()); err != nil {
					t.Fatal(err)
				}
				if _, err := ros2.NewService(w.node, std_srvs.Trigger{}, "slow",
					func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
						<-ended
						return &std_srvs.TriggerResponse{}, nil
					}); err != nil {
					t.Fatal(err)
				}
				w.act()
				r := w.runFor(c.line, 900*time.Millisecond)
				if strings.Contains(strings.ToLower(r.err), "waiting for") || strings.Contains(r.err, "No subscription") {
					t.Errorf("before one second: %q", r.err)
				}
				if r = w.runFor(c.line, 5*time.Second); !strings.Contains(r.err, c.want) {
					t.Errorf("%q, want %q", r.err, c.want)
				}
				if n := strings.Count(r.err, "waiting for"); n > 1 && !strings.Contains(c.line, "delay") {
					t.Errorf("reported %d times: %q", n, r.err)
				}
			})
		})
	}
}

// TestEmptyDomainIsReported: the domain and whether only this machine is seen.
func TestEmptyDomainIsReported(t *testing.T) {
	t.Setenv("ROS_DOMAIN_ID", "77")
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	want := "no other node in this ROS domain (ROS_DOMAIN_ID is 77, ROS_LOCALHOST_ONLY is 1: only this machine)\n"
	for _, line := range []string{
		"topic hz /odom", "topic pub --once /x std_msgs/msg/Bool", "service call /x std_srvs/srv/Trigger",
		"action send_goal /x example_interfaces/action/Fibonacci {}", "node info /robot", "param list /robot", "topic echo /odom", "topic echo /odom std_msgs/msg/Bool",
	} {
		inWorld(t, func(w *world) {
			w.net = ros2test.NewNetwork()
			if r := w.runFor(line, 5*time.Second); !strings.Contains(r.err, want) {
				t.Errorf("%s: %q, want %q", line, r.err, want)
			}
		})
	}
}
