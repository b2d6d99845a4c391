// SPDX-License-Identifier: Apache-2.0

// Package namewatch detects other nodes with the full name of the driver's node: ROS 2 allows them, and each command
// then goes to all of them.
package namewatch

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// pause is the minimum time between two checks of the graph, which may change often and be large.
const pause = 2 * time.Second

// Watch counts the other nodes with the name of a node, in any program and middleware. One goroutine calls its methods,
// except Others.
type Watch struct {
	transport ros2.Transport
	log       *slog.Logger
	name      ros2.NodeName

	changed bool // the graph, since the nodes were counted
	others  atomic.Int64
	next    time.Time
	logged  bool // the last log line reported other nodes
	lines   mailbox.Limiter
}

// New returns a watch for nodes with the name of node, which logs to log.
func New(node *ros2.Node, log *slog.Logger) *Watch {
	return &Watch{transport: node.Transport(), log: log, name: node.Name(), changed: true}
}

// Others returns the number of other nodes with the name at the last check. It is safe for concurrent use.
func (w *Watch) Others() int { return int(w.others.Load()) }

// Check checks the graph if it has changed, and logs when other nodes with the name appeared and when the last of them
// left. changed is whether it may have changed since the last call; the caller observes that for other purposes, too.
func (w *Watch) Check(now time.Time, changed bool) {
	if w.changed = w.changed || changed; w.changed && (!now.Before(w.next) || w.next.Sub(now) > pause) {
		w.changed = false
		w.next = now.Add(pause)
		w.others.Store(int64(w.count()))
	}
	others := w.Others()
	if (others > 0) == w.logged || !w.lines.Allow(now) {
		return
	}
	w.logged = others > 0
	if !w.logged {
		w.log.Info("no other node has the same name any more", "node", w.name.FullName())
		return
	}
	w.log.Warn("another node has the same name: commands such as cmd_vel go to both. Give each robot a namespace, as in "+
		"--ros-args -r __ns:=/robot1. A driver that was killed is still counted until its lease ends, for 20 s",
		"node", w.name.FullName(), "others", others)
}

// count returns the number of nodes with the name except the watched one.
func (w *Watch) count() int { return max(0, ros2.CountNodes(w.transport, w.name)-1) }
