// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// readers returns the GIDs of the readers of a topic in the graph.
func (s *scene) readers(topic string) map[ros2.GID]bool {
	gids := map[ros2.GID]bool{}
	for _, e := range s.robot.Graph().EndpointsOn(topic) {
		if e.Kind == ros2.SubscriptionEndpoint {
			gids[e.GID] = true
		}
	}
	return gids
}

// TestSubscriptionsOfATopicKeepTheReaders: the requests after the first change what the client receives, but not the
// readers on the network, which would have to be discovered and miss what is published meanwhile.
func TestSubscriptionsOfATopicKeepTheReaders(t *testing.T) {
	for name, qos := range map[string]ros2.QoS{"volatile": ros2.DefaultQoS(), "latched": ros2.LatchedQoS()} {
		t.Run(name, func(t *testing.T) {
			inScene(t, guard.View, func(s *scene) {
				pub, err := ros2.NewPublisher[std_msgs.String](s.robot, "chatter", qos)
				s.must(err)
				s.say(`{"op":"subscribe","topic":"/chatter"}`)
				first := s.readers("/chatter")
				if len(first) == 0 {
					s.Fatal("no reader")
				}
				for _, request := range []string{
					`{"op":"subscribe","topic":"/chatter"}`,
					`{"op":"subscribe","topic":"chatter","id":"typed","type":"std_msgs/String"}`,
					`{"op":"subscribe","topic":"/chatter","id":"typed","type":"std_msgs/msg/String","queue_length":100}`,
					`{"op":"subscribe","topic":"/chatter","id":"slow","throttle_rate":1000,"queue_length":1}`,
					`{"op":"subscribe","topic":"/chatter","id":"small","fragment_size":100}`,
					`{"op":"subscribe","topic":"/chatter","id":"packed","compression":"cbor"}`,
					`{"op":"subscribe","topic":"/chatter","id":"wrong","type":"std_msgs/Empty"}`, // refused
					`{"op":"unsubscribe","topic":"/chatter","id":"packed"}`,
				} {
					s.say("%s", request)
					second := s.readers("/chatter")
					for gid := range first {
						if !second[gid] || len(second) != len(first) {
							s.Fatalf("%s: the readers were %v, are %v", request, first, second)
						}
					}
				}
				s.must(pub.Publish(&std_msgs.String{Data: "heard"}))
				s.say(`{"op":"unsubscribe","topic":"/chatter"}`)
				if left := s.readers("/chatter"); len(left) != 0 || s.client.hub.Stats().Subscriptions != 0 {
					s.Errorf("after unsubscribe: %v", left)
				}
			})
		})
	}
}
