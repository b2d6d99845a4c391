// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// graphPause is the least time between two looks at the graph. When a network with hundreds of endpoints appears, the
// graph changes as often, and each look goes through all of them.
const graphPause = 2 * time.Second

// commandWatch watches for publishers of cmd_vel with the other of its two message types. ROS does not match them, so
// that nothing would happen and nothing would be said; Nav2 and teleop packages changed from one type to the other.
type commandWatch struct {
	changed     atomic.Bool // the graph, since it was looked at; set by the transport
	name        string      // full name of the topic
	ours, other string      // message types

	next time.Time // of the bus goroutine, as told
	told bool
}

// watchCommandType begins to watch; cancel ends it.
func (d *Driver) watchCommandType(set *table.Settings) (cancel func(), err error) {
	w := &d.watch
	for _, row := range table.SubscribedBy("") {
		if row.Name != table.TopicCmdVel {
			continue
		}
		w.ours, w.other = row.Type, row.AltType
		if set.Stamped {
			w.ours, w.other = w.other, w.ours
		}
		if w.name, err = d.node.ResolveName(row.Name); err != nil {
			return nil, err
		}
	}
	w.changed.Store(true)
	return d.node.Transport().OnGraphChange(func() { w.changed.Store(true) }), nil
}

// lookForOtherType looks at the graph if it has changed, and says once what is wrong.
func (d *Driver) lookForOtherType(now time.Time) {
	w := &d.watch
	if !w.changed.Load() || now.Before(w.next) && w.next.Sub(now) <= graphPause {
		return
	}
	w.changed.Store(false)
	w.next = now.Add(graphPause)
	who, found := publisherOf(ros2.EndpointsOn(d.node.Transport(), w.name), w.other)
	if found && !w.told {
		d.log.Warn("cmd_vel is published with another message type than this driver takes: set cmd_vel_stamped accordingly",
			"topic", w.name, "publisher", who.FullName(), "published", w.other, "taken", w.ours)
	}
	w.told = found
}

// publisherOf finds a node that publishes with the type.
func publisherOf(endpoints []ros2.EndpointInfo, typ string) (ros2.NodeName, bool) {
	for _, e := range endpoints {
		if e.Kind == ros2.PublisherEndpoint && e.Type == typ {
			return e.Node, true
		}
	}
	return ros2.NodeName{}, false
}
