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
	cancel    func()

	changed atomic.Bool // the graph, since the last check; set by the transport
	others  atomic.Int64
	next    time.Time
	logged  bool // the last log line reported other nodes
	lines   mailbox.Limiter
}

// New starts to watch for nodes with the name of node, and logs to log. The caller calls Close.
func New(node *ros2.Node, log *slog.Logger) *Watch {
	w := &Watch{transport: node.Transport(), log: log, name: node.Name()}
	w.changed.Store(true)
	w.cancel = w.transport.OnGraphChange(func() { w.changed.Store(true) })
	return w
}

// Close ends the watch.
func (w *Watch) Close() { w.cancel() }

// Others returns the number of other nodes with the name at the last check. It is safe for concurrent use.
func (w *Watch) Others() int { return int(w.others.Load()) }

// Check checks the graph if it has changed, and logs when other nodes with the name appeared and when the last of them
// left.
func (w *Watch) Check(now time.Time) {
	if w.changed.Load() && (!now.Before(w.next) || w.next.Sub(now) > pause) {
		w.changed.Store(false)
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
