// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// watchCommandType watches for publishers of cmd_vel with the other of its two message types. ROS does not match them, so
// that nothing would happen and nothing would be said; Nav2 and teleop packages changed from one type to the other.
func (d *Driver) watchCommandType(set *settings) (cancel func()) {
	row := Topic{}
	for _, t := range subscribedTopics() {
		if t.Name == topicCmdVel {
			row = t
		}
	}
	ours, other := row.Type, row.AltType
	if set.stamped {
		ours, other = other, ours
	}
	name, err := d.node.ResolveName(row.Name)
	if err != nil {
		return func() {} // the subscription failed on it already
	}
	var told atomic.Bool
	look := func() {
		who, found := publisherOf(d.node.Graph(), name, other)
		if told.Swap(found) || !found {
			return
		}
		d.log.Warn("cmd_vel is published with another message type than this driver takes: set cmd_vel_stamped accordingly",
			"topic", name, "publisher", who.FullName(), "published", other, "taken", ours, paramStamped, set.stamped)
	}
	cancel = d.node.Transport().OnGraphChange(look)
	look()
	return cancel
}

// publisherOf finds a node that publishes the topic with the type.
func publisherOf(g ros2.Graph, topic, typ string) (ros2.NodeName, bool) {
	for _, e := range g.EndpointsOn(topic) {
		if e.Kind == ros2.PublisherEndpoint && e.Type == typ {
			return e.Node, true
		}
	}
	return ros2.NodeName{}, false
}
