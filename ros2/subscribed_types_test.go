// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"fmt"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestSubscribedTypes: those of subscriptions of the topic, once each and sorted, not those of publishers.
func TestSubscribedTypes(t *testing.T) {
	transport := ros2test.NewTransport()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	check := func(topic, want string) {
		t.Helper()
		if got := fmt.Sprint(ros2.SubscribedTypes(transport, topic)); got != want {
			t.Errorf("%s: %s, want %s", topic, got, want)
		}
	}
	if _, err := ros2.NewPublisher[geometry_msgs.Twist](node, "cmd_vel", ros2.DefaultQoS()); err != nil {
		t.Fatal(err)
	}
	check("/cmd_vel", "[]")
	for range 2 {
		if _, err := ros2.NewSubscription(node, "cmd_vel", ros2.DefaultQoS(), func(*geometry_msgs.TwistStamped, ros2.MessageInfo) {}); err != nil {
			t.Fatal(err)
		}
	}
	check("/cmd_vel", "[geometry_msgs/msg/TwistStamped]")
	if _, err := ros2.NewSubscription(node, "cmd_vel", ros2.DefaultQoS(), func(*geometry_msgs.Twist, ros2.MessageInfo) {}); err != nil {
		t.Fatal(err)
	}
	check("/cmd_vel", "[geometry_msgs/msg/Twist geometry_msgs/msg/TwistStamped]")
	check("/r/cmd_vel", "[]")
	if err := node.Close(); err != nil {
		t.Error(err)
	}
	if err := transport.Close(); err != nil {
		t.Error(err)
	}
}
