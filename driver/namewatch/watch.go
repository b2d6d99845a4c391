// SPDX-License-Identifier: Apache-2.0

// Package namewatch notices other nodes with the full name of the driver's node: ROS 2 allows them, and then each
// command goes to all of them.
package namewatch

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/handover"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Pause is the least time between two looks at the graph, which may change often and be large.
const Pause = 2 * time.Second

// Watch counts the other nodes that have the name of a node, of any program and middleware. Its
// methods are for one goroutine, but for Others.
type Watch struct {
	transport ros2.Transport
	log       *slog.Logger
	name      ros2.NodeName
	cancel    func()

	changed atomic.Bool // the graph, since it was looked at; set by the transport
	others  atomic.Int64
	next    time.Time
	logged  bool // the log's last line says that there are others
	lines   handover.Limiter
}

// New begins to watch for nodes with the name of a node, which its transport announces. Its user calls Close.
func New(node *ros2.Node, log *slog.Logger) *Watch {
	w := &Watch{transport: node.Transport(), log: log, name: node.Name()}
	w.changed.Store(true)
	w.cancel = w.transport.OnGraphChange(func() { w.changed.Store(true) })
	return w
}

// Close ends it.
func (w *Watch) Close() { w.cancel() }

// Others returns how many other nodes with the name the last look found. Any goroutine may call it.
func (w *Watch) Others() int { return int(w.others.Load()) }

// Check looks at the graph if it has changed, and logs when other nodes of the name have come and when the last of them
// has gone.
func (w *Watch) Check(now time.Time) {
	if w.changed.Load() && (!now.Before(w.next) || w.next.Sub(now) > Pause) {
		w.changed.Store(false)
		w.next = now.Add(Pause)
		w.others.Store(int64(w.count()))
	}
	others := w.Others()
	if (others > 0) == w.logged || !w.lines.Allow(now) {
		return
	}
	w.logged = others > 0
	if !w.logged {
		w.log.Info("no other node has the name of this one any more", "node", w.name.FullName())
		return
	}
	w.log.Warn("another node has the name of this one: commands such as cmd_vel go to both. Give each robot a namespace, as in "+
		"--ros-args -r __ns:=/robot1. A driver that was killed is seen until its lease ends, for 20 s",
		"node", w.name.FullName(), "others", others)
}

// count counts the nodes of the name but one, which is the watched node.
func (w *Watch) count() int {
	n := 0
	for _, name := range ros2.Nodes(w.transport) {
		if name == w.name {
			n++
		}
	}
	return max(0, n-1)
}
