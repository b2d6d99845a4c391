// SPDX-License-Identifier: Apache-2.0

// Package typewatch detects publishers of the robot's commands with the other of their two message types.
package typewatch

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Pause is the minimum time between two checks of the graph. When a network with hundreds of endpoints appears, the
// graph changes as often, and each check visits all of them.
const Pause = 2 * time.Second

// Watch detects publishers of cmd_vel with the other of its two message types. ROS does not match them, so the robot
// would not move and nothing would be logged; Nav2 and teleop packages changed from one type to the other. One
// goroutine calls its methods.
type Watch struct {
	transport   ros2.Transport
	log         *slog.Logger
	name        string // full name of the topic
	ours, other string // message types
	cancel      func()

	changed atomic.Bool // the graph, since the last check; set by the transport
	next    time.Time
	logged  bool
}

// NewFor starts to watch a topic of a node that subscribes to it with the type ours. The caller calls Close. Errors are
// those of the topic's name.
func NewFor(node *ros2.Node, topic, ours, other string, log *slog.Logger) (*Watch, error) {
	w := &Watch{transport: node.Transport(), log: log, ours: ours, other: other}
	var err error
	if w.name, err = node.ResolveName(topic); err != nil {
		return nil, err
	}
	w.changed.Store(true)
	w.cancel = w.transport.OnGraphChange(func() { w.changed.Store(true) })
	return w, nil
}

// New starts to watch for a node that subscribes to Twist, or TwistStamped if stamped. The caller calls Close. Errors
// are those of the topic's name.
func New(node *ros2.Node, stamped bool, log *slog.Logger) (*Watch, error) {
	ours, other := "", ""
	for _, row := range table.SubscribedBy("") {
		if row.Name == table.TopicCmdVel {
			ours, other = row.Type, row.AltType
		}
	}
	if stamped {
		ours, other = other, ours
	}
	return NewFor(node, table.TopicCmdVel, ours, other, log)
}

// Close ends the watch.
func (w *Watch) Close() { w.cancel() }

// Check checks the graph if it has changed, and logs a mismatch once.
func (w *Watch) Check(now time.Time) {
	if !w.changed.Load() || now.Before(w.next) && w.next.Sub(now) <= Pause {
		return
	}
	w.changed.Store(false)
	w.next = now.Add(Pause)
	who, found := publisherOf(ros2.EndpointsOn(w.transport, w.name), w.other)
	if found && !w.logged {
		w.log.Warn("cmd_vel is published with another message type than the driver's: set cmd_vel_stamped accordingly",
			"topic", w.name, "publisher", who.FullName(), "published", w.other, "subscribed", w.ours)
	}
	w.logged = found
}

// publisherOf returns a node that publishes with the type.
func publisherOf(endpoints []ros2.EndpointInfo, typ string) (ros2.NodeName, bool) {
	for _, e := range endpoints {
		if e.Kind == ros2.PublisherEndpoint && e.Type == typ {
			return e.Node, true
		}
	}
	return ros2.NodeName{}, false
}
