// SPDX-License-Identifier: Apache-2.0

// Package typewatch detects publishers of a topic with another message type than that of its subscription.
package typewatch

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Pause is the minimum time between two checks of the graph. When a network with hundreds of endpoints appears, the
// graph changes as often, and each check visits all of them.
const Pause = 2 * time.Second

// Config describes a topic that has two message types, of which a node subscribes to one.
type Config struct {
	// Topic is its name in the node.
	Topic string
	// Ours is the message type of the subscription, Other the one that is detected.
	Ours, Other string
	// Warning is what is logged: that the types differ, and what to do.
	Warning string
}

// Watch detects publishers with the other of the two message types of a topic. ROS does not match them, so nothing would
// be received and nothing would be logged. One goroutine calls its methods.
type Watch struct {
	transport ros2.Transport
	log       *slog.Logger
	name      string // full name of the topic
	cfg       Config
	cancel    func()

	changed atomic.Bool // the graph, since the last check; set by the transport
	next    time.Time
	logged  bool
}

// New starts to watch a topic to which the node subscribes. The caller calls Close. Errors are those of the topic's name.
func New(node *ros2.Node, cfg Config, log *slog.Logger) (*Watch, error) {
	w := &Watch{transport: node.Transport(), log: log, cfg: cfg}
	var err error
	if w.name, err = node.ResolveName(cfg.Topic); err != nil {
		return nil, err
	}
	w.changed.Store(true)
	w.cancel = w.transport.OnGraphChange(func() { w.changed.Store(true) })
	return w, nil
}

// Close ends the watch.
func (w *Watch) Close() { w.cancel() }

// Check checks the graph if it has changed, and logs a mismatch once. It reports whether the graph had changed.
func (w *Watch) Check(now time.Time) (changed bool) {
	if !w.changed.Load() || now.Before(w.next) && w.next.Sub(now) <= Pause {
		return false
	}
	w.changed.Store(false)
	w.next = now.Add(Pause)
	who, found := publisherOf(ros2.EndpointsOn(w.transport, w.name), w.cfg.Other)
	if found && !w.logged {
		w.log.Warn(w.cfg.Warning, "topic", w.name, "publisher", who.FullName(), "published", w.cfg.Other, "subscribed", w.cfg.Ours)
	}
	w.logged = found
	return true
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
