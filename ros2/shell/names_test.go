// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestNamesWithoutSlashAreResolved: every tool takes "robot/state" for "/robot/state".
func TestNamesWithoutSlashAreResolved(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		w.want("topic type robot/state", "std_msgs/msg/String\n")
		w.want("topic info robot/state", "Type: std_msgs/msg/String\nPublisher count: 2\nSubscription count: 0\n")
		w.want("service type robot/elsewhere", "std_srvs/srv/Trigger\n")
		for _, line := range []string{"node info robot/driver", "param list robot/driver"} {
			if r := w.run(line); r.status != 0 || r.err != "" {
				t.Errorf("%s: status %d, %s", line, r.status, r.err)
			}
		}
		w.wantError("topic info robot/stat", "did you mean '/robot/state'?", 1)
		w.wantError("service type a//b", "two slashes", 1)
		w.wantError("topic type 1st", "begins with a digit", 1)
	})
}

func TestTypesWithoutKindAreCompleted(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		for _, c := range [][2]string{
			{"interface show geometry_msgs/Twist", "interface show geometry_msgs/msg/Twist"},
			{"interface show std_srvs/Trigger", "interface show std_srvs/srv/Trigger"},
			{"interface proto nav2_msgs/NavigateToPose", "interface proto nav2_msgs/action/NavigateToPose"},
			{"interface proto geometry_msgs/Twist", "interface proto geometry_msgs/msg/Twist"},
			{"topic find geometry_msgs/Twist", "topic find geometry_msgs/msg/Twist"},
			{"service find std_srvs/Trigger", "service find std_srvs/srv/Trigger"},
		} {
			short, full := w.run(c[0]), w.run(c[1])
			if short != full || full.status != 0 || full.out == "" {
				t.Errorf("%s: %+v, want %+v", c[0], short, full)
			}
		}
		w.wantError("interface show geometry_msgs/Twits", "did you mean 'geometry_msgs/msg/Twist", 1)
	})
}

// TestPublisherSaysWhyNothingMatches: after a second, whether it waits or publishes.
func TestPublisherSaysWhyNothingMatches(t *testing.T) {
	inWorld(t, func(w *world) {
		w.populate()
		ignore := func(*std_msgs.String, ros2.MessageInfo) {}
		if _, err := ros2.NewSubscription(w.node, "log", ros2.QoS{Reliability: ros2.Reliable, Depth: 1}, ignore); err != nil {
			t.Fatal(err)
		}
		for line, want := range map[string]string{
			"topic pub --once robot/cmd_vel std_msgs/msg/String": "waiting for a subscription of /robot/cmd_vel: /robot/driver uses the type " +
				"geometry_msgs/msg/Twist, not std_msgs/msg/String",
			"topic pub /robot/cmd_vel geometry_msgs/msg/TwistStamped":                       "/robot/driver uses the type geometry_msgs/msg/Twist, not geometry_msgs/msg/TwistStamped",
			"topic pub --once /robot/cmd_ve geometry_msgs/msg/Twist":                        "no node has one; did you mean '/robot/cmd_vel'?",
			"topic pub --once /cmd_vel geometry_msgs/msg/Twist":                             "did you mean '/robot/cmd_vel'?",
			"topic pub --qos-reliability best_effort --once /robot/log std_msgs/msg/String": "/robot/driver requests more than is offered here (reliability)",
		} {
			r := w.runFor(line, 5*time.Second)
			if n := strings.Count(r.err, want); n != 1 {
				t.Errorf("%s: said %d times:\n%s\nwant once %s", line, n, r.err, want)
			}
		}
		if r := w.runFor("topic pub robot/log std_msgs/msg/String", 5*time.Second); r.err != "" {
			t.Errorf("a publisher with a subscription complained: %s", r.err)
		}
	})
}
